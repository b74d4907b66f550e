// Renderer: the button that clears the filters of a page.
// The button disappears with the filters; the search beside it takes the focus, so that the keyboard keeps
// its position.

interface ClearFiltersProps {
  readonly label: string;
  readonly onClear: () => void;
  /** The button is in a row with the filters, not below an empty list. */
  readonly quiet?: boolean;
}

export function ClearFilters({ label, onClear, quiet = false }: ClearFiltersProps) {
  return (
    <button
      type="button"
      className={quiet ? 'btn quiet' : 'btn line'}
      onClick={({ currentTarget }) => {
        const search = currentTarget.closest('main')?.querySelector<HTMLElement>('input[type="search"]');
        onClear();
        search?.focus();
      }}
    >
      {label}
    </button>
  );
}
