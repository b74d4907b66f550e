// Renderer, alert rules: opens and closes the editor; asks before unsaved edits are lost.
import { type RefObject, useRef, useState } from 'react';
import { isOther, type RuleDraft } from './rule-draft.ts';
import { ruleEdit, useRuleEdit } from './rule-edit.ts';

/** @param fallback gets the focus when the button that opened the editor is gone */
export function useRuleEditor(fallback: RefObject<HTMLElement | null>) {
  const editing = useRuleEdit();
  /** Gets the focus back from the dialog with the question. */
  const asker = useRef<HTMLElement>(null);
  /** The button that opened the editor; null: it was open before this page was. */
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  /** Continues once the user has agreed to lose the edits; null: no question is open. */
  const [afterLoss, setAfterLoss] = useState<(() => void) | null>(null);
  const leave = (from: Element | null, next: () => void): void => {
    if (editing === null || !isOther(editing.draft, editing.first)) next();
    else {
      asker.current = from instanceof HTMLElement ? from : null;
      setAfterLoss(() => next);
    }
  };
  const close = (): void => {
    ruleEdit.close();
    const back = opener?.isConnected === true ? opener : fallback.current;
    // An open dialog returns the focus when it closes.
    asker.current = back;
    back?.focus();
  };
  return {
    editing,
    open(draft: RuleDraft, button: HTMLElement): void {
      leave(button, () => {
        setOpener(button);
        ruleEdit.open(draft);
      });
    },
    leave: () => leave(document.activeElement, close),
    close,
    question: afterLoss && { returnTo: asker, onYes: afterLoss, onClose: () => setAfterLoss(null) },
  };
}
