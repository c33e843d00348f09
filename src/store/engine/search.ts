// Looking for a part of a text, whatever its case, with nothing in what is looked for that has a meaning of its own.
import { sql, type RawBuilder, type SqlBool } from 'kysely';

export function containing(text: RawBuilder<unknown>, part: string): RawBuilder<SqlBool> {
  const pattern = `%${part.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return sql<SqlBool>`lower(${text}) like ${pattern} escape '\\'`;
}
