// What each endpoint of the operator is called with in the sweep of their answers: things that are really there.
import { netblockRequestInsert } from '#store/network/netblock-requests.ts';
import type { AccountId } from '#store/tables.ts';
import { billingRun } from '#workflows/billing-run.ts';
import { startWorkflow } from '#workflows/runner.ts';
import type { Example } from './examples.ts';
import { leastExample } from './examples.ts';
import { failedJob } from './failed-job.ts';
import { accountFields, codeOf, machineOrder, newAccount, newOperator, operated, signedIn } from './operators.ts';
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

async function waitingRequest({ parts, lab }: TestYard): Promise<string> {
  const id = await netblockRequestInsert(parts.store.queries, {
    account_id: Number(lab.customer.account) as AccountId,
    service_id: Number(lab.dedicated.service),
    family: 'ipv4',
    prefix_length: 30,
    status: 'Pending',
    cidr: '',
    created_at: parts.clock.now(),
  });
  return String(id);
}

async function runUnderWay({ parts, lab }: TestYard): Promise<string> {
  return parts.store.transaction((queries) =>
    startWorkflow(parts, queries, billingRun, {
      account: Number(lab.customer.account) as AccountId,
      service: undefined,
      operation: 'sweep',
      input: { periodDay: 0 },
    }),
  );
}

/** Nothing works off jobs in a sweep: what was begun for a service would be under way for ever. */
async function workEnded({ parts }: TestYard): Promise<void> {
  const { queries } = parts.store;
  await queries.updateTable('workflows').set({ ended_at: 1 }).where('ended_at', 'is', null).execute();
}

async function held(yard: TestYard, way: 'lock' | 'maintenance'): Promise<OperatorCall> {
  const device = yard.lab.dedicated.server;
  await operated(yard, 'POST', `device/${way}`, { device, reason: 'a sweep' });
  return { params: { device } };
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
  serviceGet: ({ lab }) => ({ params: { id: lab.dedicated.service } }),
  serviceProvision: ({ lab }) => ({ params: machineOrder(lab.customer.account) }),
  serviceSuspend: async (yard) => {
    await workEnded(yard);
    return { params: { id: yard.lab.cloud.service } };
  },
  serviceResume: async (yard) => {
    const { lab, parts } = yard;
    await workEnded(yard);
    const id = Number(lab.vps.service);
    await parts.store.queries.updateTable('services').set({ status: 'Suspended' }).where('id', '=', id).execute();
    return { params: { id } };
  },
  serviceTerminate: async (yard) => {
    await workEnded(yard);
    const { service } = yard.lab.dedicated;
    const { hostname } = await operated<{ hostname: string }>(yard, 'GET', `service/${service}`);
    return { params: { id: service, hostname } };
  },
  deviceLock: ({ lab }) => ({ params: { device: lab.dedicated.server } }),
  deviceUnlock: async (yard) => held(yard, 'lock'),
  deviceMaintenanceBegin: ({ lab }) => ({ params: { device: `vm-${lab.vps.vmid}` } }),
  deviceMaintenanceEnd: async (yard) => held(yard, 'maintenance'),
  deviceDiscover: ({ lab }) => ({ params: { server: lab.dedicated.server } }),
  keyList: ({ lab }) => ({ params: { account: lab.customer.account } }),
  keyCreate: ({ lab }) => ({ params: { account: lab.customer.account } }),
  keyRevoke: async (yard) => {
    const { account } = yard.lab.customer;
    const { id } = await operated<{ id: string }>(yard, 'POST', 'key', { account, name: 'sweep', scopes: ['all'] });
    return { params: { account, id } };
  },
  accountGet: ({ lab }) => ({ params: { id: lab.customer.account } }),
  requestApprove: async (yard) => ({ params: { id: await waitingRequest(yard) } }),
  requestRefuse: async (yard) => ({ params: { id: await waitingRequest(yard) } }),
  workflowGet: async (yard) => ({ params: { id: await runUnderWay(yard) } }),
  workflowRetry: async (yard) => ({ params: { id: await runUnderWay(yard) } }),
  workflowUnwind: async (yard) => ({ params: { id: await runUnderWay(yard) } }),
  jobRetry: async ({ parts }) => ({ params: { id: await failedJob(parts) } }),
  nullrouteAdd: ({ lab }) => ({ params: { ip: lab.dedicated.ips[0]! } }),
  nullrouteRemove: async (yard) => {
    const ip = yard.lab.dedicated.ips[0]!;
    await operated(yard, 'POST', 'nullroute', { ip, reason: 'a sweep' });
    return { params: { ip } };
  },
};

/** With which the call succeeds. */
export async function operatorCall(yard: TestYard, route: Route): Promise<OperatorCall> {
  const made = await makers[route.operation.name]?.(yard);
  return { ...made, params: { ...leastExample(route.endpoint), ...made?.params } };
}
