// What each endpoint of the operator is called with in the sweep of their answers: things that are really there.
import type { Example } from './examples.ts';
import { leastExample } from './examples.ts';
import type { Route } from './routes.ts';
import type { TestYard } from './yard.ts';

type Maker = (yard: TestYard) => Example | Promise<Example>;

/** By operation; what is not here is called with the least that it takes. */
const makers: Readonly<Record<string, Maker>> = {
  accountGet: ({ lab }) => ({ id: lab.customer.account }),
};

/** Parameters with which the call succeeds; `key` where it needs another than the owner's. */
export async function operatorInputs(yard: TestYard, route: Route): Promise<Example> {
  return { ...leastExample(route.endpoint), ...(await makers[route.operation.name]?.(yard)) };
}
