// Finds statements of migrations that take something away from instances of the previous release, which run on the
// database until all of them are upgraded. docs/decisions/rolling-upgrades.md has the rule.

/** Objects that no released migration has made: old instances do not know them. */
export interface Additions {
  readonly tables: Set<string>;
  /** As `table.column`. */
  readonly columns: Set<string>;
}

export function newAdditions(): Additions {
  return { tables: new Set(), columns: new Set() };
}

/** Returns what the statement takes away, or undefined; records what it adds. */
export function findContraction(statement: string, { tables, columns }: Additions): string | undefined {
  const text = statement.replaceAll(/\s+/g, ' ').replaceAll('"', '').trim().toLowerCase();
  const isNew = (table: string | undefined): boolean => tables.has(table ?? '');
  const [, created] = /^create (?:virtual table|table|view) (?:if not exists )?(\w+)/.exec(text) ?? [];
  if (created !== undefined) return void tables.add(created);
  const [, altered, change = ''] = /^alter table (\w+) (.*)$/.exec(text) ?? [];
  if (altered !== undefined) {
    if (isNew(altered)) return undefined;
    const [, added, definition = ''] =
      /^add (?:column )?(?!constraint\b|check\b|unique\b|foreign\b)(\w+)(.*)$/.exec(change) ?? [];
    if (added === undefined) return `changes ${altered}`;
    columns.add(`${altered}.${added}`);
    if (definition.includes('not null') && !definition.includes(' default ')) return `requires ${altered}.${added}`;
    return definition.includes(' unique') ? `limits ${altered}.${added}` : undefined;
  }
  const [, unique, indexed, of = ''] = /^create (unique )?index \w+ on (\w+) \((.*?)\)/.exec(text) ?? [];
  if (indexed !== undefined) {
    const isOfAddition = of.split(', ').some((column) => columns.has(`${indexed}.${column}`));
    return unique === undefined || isNew(indexed) || isOfAddition ? undefined : `limits ${indexed}`;
  }
  const [, updated, set = ''] = /^update (\w+) set (.*?)(?: where .*| from .*)?$/.exec(text) ?? [];
  if (updated !== undefined) {
    const names = [...set.matchAll(/(?:^|, )(\w+) = /g)].map(([, name]) => `${updated}.${name}`);
    return isNew(updated) || names.every((name) => columns.has(name)) ? undefined : `rewrites ${updated}`;
  }
  const [, target] = /^(?:insert into|delete from|drop table|create trigger \w+ .*? on) (\w+)/.exec(text) ?? [];
  if (isNew(target) || text.startsWith('create function') || text.startsWith('insert into')) return undefined;
  return text;
}
