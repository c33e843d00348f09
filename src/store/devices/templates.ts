// The operating systems that virtual machines can be given, in the order of the site file.
import type { Selectable } from 'kysely';
import { ifChanged } from '../engine/if-changed.ts';
import type { Queries } from '../store.ts';

export type MachineKind = 'Xen' | 'OpenVZ';

export interface TemplateTable {
  value: string;
  name: string;
  kind: MachineKind;
  /** What the driver calls it. */
  source: string;
  position: number;
}
export type Template = Selectable<TemplateTable>;

export async function templateList(queries: Queries, kind: MachineKind): Promise<Template[]> {
  return queries.selectFrom('templates').selectAll().where('kind', '=', kind).orderBy('position').execute();
}

export async function templateFind(queries: Queries, value: string): Promise<Template | undefined> {
  return queries.selectFrom('templates').selectAll().where('value', '=', value).executeTakeFirst();
}

/** All that there are; others are offered no more. */
export async function templatesPut(queries: Queries, templates: readonly Template[]): Promise<void> {
  const values = templates.map(({ value }) => value);
  let gone = queries.deleteFrom('templates');
  if (values.length > 0) gone = gone.where('value', 'not in', values);
  await gone.execute();
  for (const { value, ...changing } of templates) {
    await queries
      .insertInto('templates')
      .values({ value, ...changing })
      .onConflict((conflict) => conflict.column('value').doUpdateSet(changing).where(ifChanged('templates', changing)))
      .execute();
  }
}
