// The column with the services that a contact, an invitation or a key is limited to, and the rows within such limits.
import type { ExpressionBuilder } from 'kysely';
import { Type } from 'typebox';
import { jsonColumn } from '../json-column.ts';
import type { Tables } from '../tables.ts';

const ids = jsonColumn('services', Type.Array(Type.Integer()));

/** Null for one without limits. */
export const serviceLimits = {
  encode: (limits: ReadonlySet<number> | undefined): string | null =>
    limits === undefined ? null : ids.encode([...limits].toSorted((left, right) => left - right)),
  decode: (text: string | null): ReadonlySet<number> | undefined =>
    text === null ? undefined : new Set(ids.decode(text)),
};

/** Matches rows of these services, and of none. */
export function isOfServices(services: ReadonlySet<number>) {
  return (where: ExpressionBuilder<Tables, 'events' | 'workflows' | 'attacks'>) =>
    where.or([
      where('service_id', 'is', null),
      ...(services.size === 0 ? [] : [where('service_id', 'in', [...services])]),
    ]);
}
