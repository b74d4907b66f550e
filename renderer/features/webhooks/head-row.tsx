// Renderer, webhooks: the head of a table: its columns by name, some with the classes of their cells.

type Column = string | readonly [name: string, className: string];

export const HeadRow = ({ columns }: { columns: readonly Column[] }) => (
  <thead>
    <tr>
      {columns.map((column) => {
        const [name, className] = typeof column === 'string' ? [column] : column;
        return (
          <th key={name} scope="col" className={className}>
            {name}
          </th>
        );
      })}
    </tr>
  </thead>
);
