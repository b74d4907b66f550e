// Renderer, webhooks: the first cell of a row that can be chosen: a button for the keyboard; the pointer may press anywhere in the row.
import type { KeyboardEvent, ReactNode } from 'react';
import { isCommand } from '../../ui/shortcuts/registry.ts';

interface ChoiceRowProps {
  readonly chosen: boolean;
  readonly onChoose: () => void;
  readonly className?: string;
  /** What stands in the first cell. */
  readonly first: ReactNode;
  readonly children: ReactNode;
}

export function ChoiceRow({ chosen, onChoose, className = '', first, children }: ChoiceRowProps) {
  return (
    <tr className={`choice ${chosen ? 'is-chosen' : ''} ${className}`} onClick={onChoose}>
      <td>
        <button
          type="button"
          className="choice-button"
          aria-pressed={chosen}
          onKeyDown={step}
          onClick={(event) => {
            event.stopPropagation();
            onChoose();
          }}
        >
          {first}
        </button>
      </td>
      {children}
    </tr>
  );
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** Arrows, J and K choose the next row or the one before. */
function step(event: KeyboardEvent<HTMLButtonElement>): void {
  const by = STEPS[event.key];
  if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  if (!event.key.startsWith('Arrow') && !isCommand(event.nativeEvent)) return;
  const row = event.currentTarget.closest('tr');
  const next = by === 1 ? row?.nextElementSibling : row?.previousElementSibling;
  const button = next?.querySelector<HTMLButtonElement>('.choice-button');
  if (button == null) return;
  event.preventDefault();
  button.focus();
  button.click();
}
