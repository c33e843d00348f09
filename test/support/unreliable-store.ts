// A store whose connection can have problems.
import type { KyselyPlugin } from 'kysely';
import type { Store } from '#store/store.ts';

export type Connection = 'works' | 'is cut' | 'hangs once';

export function unreliable(store: Store): { readonly store: Store; become(connection: Connection): void } {
  let connection: Connection = 'works';
  const hanging = Promise.withResolvers<void>();
  const hang: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => (await hanging.promise, result),
  };
  const reach = (): Store => {
    if (connection === 'is cut') throw new Error('the database does not respond');
    return store;
  };
  return {
    become(now) {
      connection = now;
      if (now === 'works') hanging.resolve();
    },
    store: {
      ...store,
      get queries() {
        const { queries } = reach();
        if (connection !== 'hangs once') return queries;
        connection = 'works';
        return queries.withPlugin(hang) as typeof queries;
      },
      transaction: async (work) => reach().transaction(work),
    },
  };
}
