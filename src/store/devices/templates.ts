// The operating systems that virtual machines can be installed with, in the order of the site file.
import type { Insertable, Selectable } from 'kysely';
import { replaceRows } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { MachineKind, TemplateTable } from './machine-tables.ts';

export type Template = Selectable<TemplateTable>;

export async function templateList(queries: Queries, kind: MachineKind): Promise<Template[]> {
  return queries.selectFrom('templates').selectAll().where('kind', '=', kind).orderBy('position').execute();
}

export async function templateFind(queries: Queries, value: string): Promise<Template | undefined> {
  return queries.selectFrom('templates').selectAll().where('value', '=', value).executeTakeFirst();
}

/** Replaces all templates; others are no longer offered. */
export async function templatesPut(queries: Queries, templates: readonly Insertable<TemplateTable>[]): Promise<void> {
  await replaceRows(queries, 'templates', 'value', templates);
}
