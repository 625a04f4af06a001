/** The figures of a plot as a table for screen readers. */
interface PlotTableProps {
  readonly caption: string;
  readonly columns: readonly string[];
  /** The first cell is the row's header; it identifies the row. */
  readonly rows: readonly (readonly [string, ...(string | number)[]])[];
}

export function PlotTable({ caption, columns, rows }: PlotTableProps) {
  return (
    <table className="sr-only">
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([header, ...cells]) => (
          <tr key={header}>
            <th scope="row">{header}</th>
            {cells.map((cell, index) => (
              <td key={columns[index + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
