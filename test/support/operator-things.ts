// What each endpoint of the operator is called with in the sweep of their answers: things that are really there.
import type { Example } from './examples.ts';
import { leastExample } from './examples.ts';
import { accountFields, codeOf, newAccount, newOperator, operated, signedIn } from './operators.ts';
import type { Route } from './routes.ts';
import type { TestYard } from './yard.ts';

export interface OperatorCall {
  readonly params: Example;
  /** The owner's of the lab unless told. */
  readonly key?: string;
}
type Maker = (yard: TestYard) => OperatorCall | Promise<OperatorCall>;

/** Signed in, without a second factor. */
async function halfWay(yard: TestYard) {
  const { name, password } = await newOperator(yard, 'support');
  const { key } = await operated<{ key: string }>(yard, 'POST', 'session', { name, password });
  return { name, password, key };
}

/** By operation; what is not here is called with the least that it takes. */
const makers: Readonly<Record<string, Maker>> = {
  sessionCreate: async (yard) => {
    const { name, password } = await newOperator(yard, 'support');
    return { params: { name, password } };
  },
  sessionDelete: async (yard) => ({ params: {}, key: (await signedIn(yard, 'support')).key }),
  totpEnrol: async (yard) => ({ params: {}, key: (await halfWay(yard)).key }),
  totpConfirm: async (yard) => {
    const { key } = await halfWay(yard);
    const { secret } = await operated<{ secret: string }>(yard, 'POST', 'totp', {}, key);
    return { params: { code: codeOf(yard, secret) }, key };
  },
  passwordSet: async (yard) => {
    const { password, key } = await signedIn(yard, 'support');
    return { params: { password, newpassword: 'correct horse' }, key };
  },
  operatorCreate: () => ({ params: { name: `new-${process.pid}`, role: 'support' } }),
  operatorUpdate: async (yard) => ({ params: { id: (await newOperator(yard, 'support')).id, role: 'billing' } }),
  operatorDelete: async (yard) => ({ params: { id: (await newOperator(yard, 'support')).id } }),
  accountCreate: () => ({ params: accountFields() }),
  accountUpdate: async (yard) => ({ params: { id: await newAccount(yard), city: 'Odense' } }),
  accountSuspend: async (yard) => ({ params: { id: await newAccount(yard) } }),
  accountResume: async (yard) => {
    const id = await newAccount(yard);
    await operated(yard, 'POST', 'account/suspend', { id, reason: 'a sweep' });
    return { params: { id } };
  },
  accountClose: async (yard) => ({ params: { id: await newAccount(yard) } }),
  keyList: ({ lab }) => ({ params: { account: lab.customer.account } }),
  keyCreate: ({ lab }) => ({ params: { account: lab.customer.account } }),
  keyRevoke: async (yard) => {
    const { account } = yard.lab.customer;
    const { id } = await operated<{ id: string }>(yard, 'POST', 'key', { account, name: 'sweep', scopes: ['all'] });
    return { params: { account, id } };
  },
  accountGet: ({ lab }) => ({ params: { id: lab.customer.account } }),
};

/** With which the call succeeds. */
export async function operatorCall(yard: TestYard, route: Route): Promise<OperatorCall> {
  const made = await makers[route.operation.name]?.(yard);
  return { ...made, params: { ...leastExample(route.endpoint), ...made?.params } };
}
