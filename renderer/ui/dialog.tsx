// Renderer: a dialog over the page on the platform's element: traps the focus, closes with Escape.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { texts } from '../../shared/text/texts.ts';
import './dialog.css';

interface DialogProps {
  readonly heading: string;
  readonly className?: string;
  /**
   * Ends with a button that closes it. The heading takes the focus: the first control is far below, and focusing it
   * would scroll there.
   */
  readonly isRead?: boolean;
  /** Even a second Escape only calls `onClose`: closing the dialog would lose something. */
  readonly isEscapeDisabled?: boolean;
  /** Gets the focus when it closes; absent: what had it before, or the page where that is gone. */
  readonly returnTo?: { readonly current: HTMLElement | null };
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Open as long as it is mounted. */
export function Dialog({
  heading,
  className = '',
  isRead = false,
  isEscapeDisabled = false,
  returnTo,
  onClose,
  children,
}: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  // Read while it is first drawn: the menu that opens it is gone afterwards.
  const [openers] = useState(() => openersOf(document.activeElement));
  const title = useRef<HTMLHeadingElement>(null);
  const id = useId();
  // A browser lets a page prevent closing once; at the second Escape it closes anyway. So the key event is
  // stopped, and a closed dialog is opened again.
  const escapeHandlers = {
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      onClose();
    },
    onClose: () => element.current?.showModal(),
  };
  useEffect(() => {
    const dialog = element.current;
    if (dialog !== null) openersOfDialogs.set(dialog, openers);
    dialog?.showModal();
    // A field cannot take the focus while its dialog is closed, and the browser focuses the first control.
    if (isRead) title.current?.focus();
    else dialog?.querySelector<HTMLElement>('[data-focus-first]')?.focus();
    return () => {
      dialog?.close();
      const opener = openers.find((each) => each.isConnected) ?? document.querySelector<HTMLElement>('.page-body');
      (returnTo?.current ?? opener)?.focus();
    };
  }, [returnTo, openers, isRead]);
  return (
    <dialog
      ref={element}
      className={`dialog ${className}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      {...(isEscapeDisabled ? escapeHandlers : {})}
    >
      <h2 id={id} ref={title} tabIndex={isRead ? -1 : undefined}>
        {heading}
      </h2>
      {children}
      {isRead && (
        <div className="dialog-actions">
          <button type="button" className="btn line" onClick={onClose}>
            {texts.common.close}
          </button>
        </div>
      )}
    </dialog>
  );
}

const openersOfDialogs = new WeakMap<Element, readonly HTMLElement[]>();

/** The control, then what opened the menu or the dialog around it, which may be gone when this one closes. */
function openersOf(control: Element | null): readonly HTMLElement[] {
  // The body has the focus where nothing has it, and takes none.
  if (!(control instanceof HTMLElement) || control === document.body) return [];
  const menu = control.closest('[role="menu"]')?.getAttribute('aria-labelledby') ?? '';
  const dialog = control.closest('dialog');
  const around = dialog === null ? [] : (openersOfDialogs.get(dialog) ?? []);
  return [control, ...openersOf(document.getElementById(menu)), ...around];
}
