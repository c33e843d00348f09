// A list that is loaded page by page, as a table.
import type { JSX } from 'react';
import type { PagedQuery } from '../../data/pages.ts';
import { QueryTable, type QueryTableProps } from '../../parts/table-card.tsx';
import { ShowMore } from './show-more.tsx';

export type PagedTableProps<Row> = QueryTableProps<Row> & { readonly query: PagedQuery };

export function PagedTable<Row>(props: PagedTableProps<Row>): JSX.Element {
  return (
    <>
      <QueryTable {...props} />
      <ShowMore query={props.query} />
    </>
  );
}
