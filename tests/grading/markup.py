"""What the HTML of every report must be: sound, and asking for nothing."""

from html.parser import HTMLParser


class Balance(HTMLParser):
    """Collects tags, and checks that they close in order."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.attributes = [], [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def demand_sound(report):
    """Demand HTML whose tags close, without scripts, events, or anything to load."""
    reader = Balance()
    reader.feed(report._repr_html_())
    reader.close()
    assert reader.open == []
    assert not {"script", "img", "link", "iframe", "style"} & set(reader.tags)
    values = [value or "" for _, value in reader.attributes]
    assert not [each for each in values if "http" in each or "url(" in each]
    assert not [key for key, _ in reader.attributes if key.startswith("on")]
