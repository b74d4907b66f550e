// Renderer: a dialog over the page, on the platform's own element: it keeps the focus, closes with Esc, and gives the focus back.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import './dialog.css';

interface DialogProps {
  readonly heading: string;
  readonly className?: string;
  /** It is to be read from its heading on: the first control lies far below, and the focus on it would scroll there. */
  readonly isRead?: boolean;
  /** Esc closes it not; `onClose` is called. Something would be lost. */
  readonly isEscapeDisabled?: boolean;
  /** Takes the focus back. */
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
  // A browser asks once; at the second Esc it closes whatever says no. So the key does not get that far, and what was closed opens again.
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
    if (isRead) title.current?.focus();
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
