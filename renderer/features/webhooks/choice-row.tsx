// Renderer, webhooks: the first cell of a row that can be chosen: a button for the keyboard; the pointer may press anywhere in the row.
import type { ReactNode } from 'react';

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
