// What a page asks of CodeMirror: an editor for one short text in Python.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
  bracketMatching, indentOnInput, indentUnit, syntaxHighlighting,
} from "@codemirror/language";
import { pythonLanguage } from "@codemirror/lang-python";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

// The line at which the text stumbled is marked until the text is changed.
const stumbled = StateEffect.define();
const marks = StateField.define({
  create: () => Decoration.none,
  update(now, change) {
    for (const effect of change.effects) {
      if (!effect.is(stumbled)) continue;
      const line = effect.value;
      if (!line || line > change.state.doc.lines) return Decoration.none;
      const { from } = change.state.doc.line(line);
      return Decoration.set([Decoration.line({ class: "stumbled" }).range(from)]);
    }
    return change.docChanged ? Decoration.none : now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Put an editor into an element; `label` names it, `described` is the id of a hint. */
window.pythonEditor = ({ parent, text, label, described, changed, asked }) => {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(), lineNumbers(), indentOnInput(), bracketMatching(), marks,
        indentUnit.of("    "), EditorState.tabSize.of(4),
        pythonLanguage, syntaxHighlighting(classHighlighter),
        keymap.of([
          { key: "Mod-Enter", run: () => { asked(); return true; } },
          indentWithTab, ...defaultKeymap, ...historyKeymap,
        ]),
        EditorView.contentAttributes.of({
          "aria-label": label, "aria-describedby": described,
          autocapitalize: "off", autocorrect: "off", spellcheck: "false", tabindex: "0",
        }),
        EditorView.updateListener.of((update) => update.docChanged && changed()),
      ],
    }),
  });
  return {
    get text() { return view.state.doc.toString(); },
    set text(now) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: now } });
    },
    mark: (line) => view.dispatch({ effects: stumbled.of(line) }),
    focus: () => view.focus(),
  };
};
