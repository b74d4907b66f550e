// Renderer: a dialog over the page on the platform's element: traps the focus, closes with Escape.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import './dialog.css';

interface DialogProps {
  readonly heading: string;
  readonly className?: string;
  /** The heading takes the focus: the first control is far below, and focusing it would scroll there. */
  readonly isRead?: boolean;
  /** Even a second Escape only calls `onClose`: closing the dialog would lose something. */
  readonly isEscapeDisabled?: boolean;
  /** Gets the focus back. */
  readonly returnTo: { readonly current: HTMLElement | null };
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
    dialog?.showModal();
    // A field cannot take the focus while its dialog is closed, and the browser focuses the first control.
    if (isRead) title.current?.focus();
    else dialog?.querySelector<HTMLElement>('[data-focus-first]')?.focus();
    return () => {
      dialog?.close();
      returnTo.current?.focus();
    };
  }, [returnTo, isRead]);
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
    </dialog>
  );
}
