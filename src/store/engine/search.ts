// Case-insensitive substring search. Nothing in the search text has a special meaning.
import { sql, type RawBuilder, type SqlBool } from 'kysely';

export function containsText(text: RawBuilder<unknown>, part: string): RawBuilder<SqlBool> {
  const pattern = `%${part.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return sql<SqlBool>`lower(${text}) like ${pattern} escape '\\'`;
}
