// Input for each operator endpoint in the response sweep, naming resources that exist.
import { pricingMakers } from './pricing-makers.ts';
import { paymentMakers } from './payment-fixtures.ts';
import { sepaMakers } from './sepa-fixtures.ts';
import { storeDeliverySettings } from '#app/billing/delivery/settings.ts';
import { storeTaxSettings } from '#app/billing/tax/settings.ts';
import { exportInsert } from '#store/privacy/exports.ts';
import { providerAccount } from '#store/account/accounts.ts';
import { bouncePut } from '#store/mail/bounces.ts';
import { mailsInsert } from '#store/mail/mails.ts';
import { dayMs, dayText } from '#lib/time.ts';
import { licenceInsert } from '#store/billing/licences.ts';
import { netblockRequestInsert } from '#store/network/netblock-requests.ts';
import { confirmTime } from '#store/work/trusted-time.ts';
import { billingRun } from '#workflows/billing/billing-run.ts';
import { startWorkflow } from '#workflows/engine/runner.ts';
import { isoNames } from '#contract/catalogue.ts';
import { labHypervisorName } from '#lab/hypervisor/machines.ts';
import { labSwitchName } from '#lab/network.ts';
import type { Example } from './examples.ts';
import { requiredExample } from './examples.ts';
import { createFailedJob } from './failed-job.ts';
import { migrationMakers } from './migration-makers.ts';
import { issuedInvoice, moneyMakers } from './money-fixtures.ts';
import {
  accountFields,
  codeOf,
  machineOrder,
  createAccount,
  createOperator,
  asOperator,
  operatorResult,
  signInOperator,
} from './operators.ts';
import { createPasskey } from './passkeys.ts';
import { requestResult } from './request.ts';
import { allowSignUp, insertSignUp, insertSignUpInvitation } from './sign-up-fixtures.ts';
import { quarantineServer } from './quarantine.ts';
import { prepareForRoute } from './reload-fixtures.ts';
import { freeDevices, type Route } from './routes.ts';
import type { TestApp } from './app.ts';
import type { AccountId } from '#store/account-id.ts';

export interface OperatorCall {
  readonly params: Example;
  /** The lab owner's key if omitted. */
  readonly key?: string;
}
export type Maker = (app: TestApp, route: Route) => OperatorCall | Promise<OperatorCall>;

/** Signed in, but without a second factor. */
async function halfWay(app: TestApp) {
  const { name, password } = await createOperator(app, 'support');
  const { key } = await operatorResult<{ key: string }>(app, 'POST', 'session', { name, password });
  return { name, password, key };
}

async function failedMail({ parts, lab }: TestApp): Promise<number> {
  const person = {
    account_id: Number(lab.customer.account) as AccountId,
    contact_id: null,
    address: lab.customer.email,
  };
  const mail = { ...person, language: '', kind: 'account.resumed', sequence: 1, created_at: parts.clock.now() };
  const [id] = await mailsInsert(parts.store.queries, [{ ...mail, status: 'Failed' }]);
  return id!;
}

async function noteOfStaff(app: TestApp): Promise<string> {
  const note = { account: app.lab.customer.account, text: 'a sweep' };
  return (await operatorResult<{ id: string }>(app, 'POST', 'note', note)).id;
}

function plannedMaintenance({ parts, lab }: TestApp) {
  const start = Math.floor(parts.clock.now() / 1000) + 3600;
  const targets = { nodes: [], switches: [], racks: [], servers: [lab.dedicated.server] };
  return { title: 'Switch', text: 'a sweep', start, end: start + 60, ...targets };
}

function draftedMaintenance(app: TestApp): Promise<string> {
  return operatorResult<string>(app, 'POST', 'maintenance', plannedMaintenance(app));
}

/** Each order is for a service without that licence. */
async function orderedLicence({ parts, lab }: TestApp): Promise<number> {
  const { queries } = parts.store;
  const service_id = Number(lab.dedicated.service);
  const open = queries.updateTable('licences').where('service_id', '=', service_id).where('status', '<>', 'Ended');
  await open.set({ status: 'Ended' }).execute();
  const id = await licenceInsert(queries, {
    account_id: Number(lab.customer.account) as AccountId,
    service_id,
    name: 'DEDICATED_PANEL1',
    status: 'Pending',
    price_cents: 100,
    from_day: 20_000,
    until_day: null,
    billed_until: 20_001,
    licence_key: null,
    workflow_id: await runUnderWay({ parts, lab } as TestApp),
    created_at: parts.clock.now(),
  });
  return id!;
}

async function waitingRequest({ parts, lab }: TestApp): Promise<string> {
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

async function assignedBlock(app: TestApp): Promise<string> {
  const { customer, dedicated } = app.lab;
  const params = { service: dedicated.service, type: 'ipv4', size: '/32' };
  const call = { key: customer.key, params };
  return (await requestResult<{ netblock: string }>(app, 'POST', '/v2/network/netblock', call)).netblock;
}

async function runUnderWay({ parts, lab }: TestApp): Promise<string> {
  return parts.store.transaction((queries) =>
    startWorkflow(parts, queries, billingRun, {
      account: Number(lab.customer.account) as AccountId,
      service: undefined,
      operation: 'sweep',
      input: { periodDay: 0 },
    }),
  );
}

function inQuarantine({ parts }: TestApp): Promise<string> {
  return quarantineServer(parts, parts.store.queries);
}

/** Ends all workflows: nothing runs jobs in a sweep, so they would stay pending forever. */
async function workEnded({ parts }: TestApp): Promise<void> {
  const { queries } = parts.store;
  await queries.updateTable('workflows').set({ ended_at: 1 }).where('ended_at', 'is', null).execute();
}

async function holdDevice(app: TestApp, way: 'lock' | 'maintenance'): Promise<OperatorCall> {
  const device = app.lab.dedicated.server;
  await operatorResult(app, 'POST', `device/${way}`, { device, reason: 'a sweep' });
  return { params: { device } };
}

/** Prepares the dedicated server for an operation on a reload or a rescue system, as for its customer. */
function networkBoot(params: Example = {}): Maker {
  return async (app, route) => {
    await workEnded(app);
    // The customer begins what staff end.
    await app.parts.store.queries.deleteFrom('device_holds').execute();
    await prepareForRoute(app, route);
    await freeDevices(app);
    return { params: { device: app.lab.dedicated.server, ...params } };
  };
}

/** The image of a machine, whose drive needs no upload. */
function machineImage(...steps: readonly ('POST' | 'PUT')[]): Maker {
  return async (app) => {
    const device = `vm-${app.lab.cloud.vmid}`;
    const image = isoNames[0]!;
    const params = { device, reason: 'a sweep' };
    await asOperator(app, 'DELETE', 'device/iso', params);
    for (const method of steps)
      await operatorResult(app, method, 'device/iso', method === 'POST' ? { ...params, image } : params);
    return { params: { device } };
  };
}

const deviceWorkMakers: Readonly<Record<string, Maker>> = {
  deviceConsoleWeb: () => ({ params: { device: 'dc01r01ds02-01' } }),
  deviceRescueStart: networkBoot(),
  deviceRescueEnd: networkBoot(),
  deviceReloadStart: networkBoot({ value: 'debian-12' }),
  deviceReloadCancel: networkBoot(),
  deviceImageList: machineImage(),
  deviceImageStatus: machineImage(),
  deviceImageUpload: async (app, route) => {
    const { params } = await machineImage()(app, route);
    return { params: { ...params, image: isoNames[0]! } };
  },
  deviceImageMount: machineImage('POST'),
  deviceImageUnmount: machineImage('POST', 'PUT'),
};

function dedicatedDevice({ lab }: TestApp): OperatorCall {
  return { params: { device: lab.dedicated.server } };
}

/** A server that is off cannot be shut down, and an earlier call may still be about to switch it off. */
function deviceThatIsOn(app: TestApp): OperatorCall {
  const { server } = app.lab.dedicated;
  app.equipment.bmcs.find((bmc) => bmc.server === server)!.simulator.chassis.control('on');
  return dedicatedDevice(app);
}

const january = { from: '2026-01-01', until: '2026-01-31' };

/** By operation; others are called with their required parameters only. */
const makers: Readonly<Record<string, Maker>> = {
  sessionCreate: async (app) => {
    const { name, password } = await createOperator(app, 'support');
    return { params: { name, password } };
  },
  sessionDelete: async (app) => ({ params: {}, key: (await signInOperator(app, 'support')).key }),
  totpEnrol: async (app) => {
    const { key, password } = await halfWay(app);
    return { params: { password }, key };
  },
  totpConfirm: async (app) => {
    const { key, password } = await halfWay(app);
    const { secret } = await operatorResult<{ secret: string }>(app, 'POST', 'totp', { password }, key);
    return { params: { code: codeOf(app, secret) }, key };
  },
  passwordSet: async (app) => {
    const { password, key } = await signInOperator(app, 'support');
    return { params: { password, newpassword: 'correct horse' }, key };
  },
  passkeyGet: async (app) => ({ params: {}, key: (await signInOperator(app, 'support')).key }),
  passkeyDelete: async (app) => {
    const { id, password, key } = await signInOperator(app, 'support');
    return { params: { id: await createPasskey(app, providerAccount, Number(id)), password }, key };
  },
  emailSet: async (app) => {
    const { password, key } = await signInOperator(app, 'support');
    return { params: { email: 'sam@example.net', password }, key };
  },
  operatorCreate: () => ({ params: { name: `new-${process.pid}`, role: 'support' } }),
  operatorUpdate: async (app) => ({ params: { id: (await createOperator(app, 'support')).id, role: 'billing' } }),
  operatorDelete: async (app) => ({ params: { id: (await createOperator(app, 'support')).id } }),
  accountCreate: () => ({ params: accountFields() }),
  accountUpdate: async (app) => ({ params: { id: await createAccount(app), city: 'Odense' } }),
  exchangeRateSet: () => ({ params: { currency: 'USD', date: '2026-01-02', rate: '1.0832' } }),
  accountCurrencySet: async (app) => ({ params: { account: await createAccount(app), currency: 'USD' } }),
  accountStatement: ({ lab }) => ({ params: { account: lab.customer.account, ...january } }),
  accountStatementPdf: ({ lab }) => ({ params: { account: lab.customer.account, ...january } }),
  invoiceDeliver: async (app) => {
    const invoiceDelivery = { driver: 'access-point', url: 'https://127.0.0.1:1', token: 'x' } as const;
    await storeDeliverySettings(app.parts.secrets, app.parts.store.queries, { ...app.site, invoiceDelivery });
    return { params: { id: await issuedInvoice(app) } };
  },
  taxGet: ({ lab }) => ({ params: { account: lab.customer.account } }),
  taxUpdate: ({ lab }) => ({ params: { account: lab.customer.account } }),
  taxValidate: async (app) => {
    const { account } = app.lab.customer;
    const provider = {
      ...app.site.provider,
      tax: { register: { driver: 'vies', url: 'http://127.0.0.1:1' } },
    } as const;
    await storeTaxSettings(app.parts.store.queries, { ...app.site, provider });
    await operatorResult(app, 'PUT', 'account/tax', { account, kind: 'business', vatnumber: 'NL004495445B01' });
    return { params: { account } };
  },
  taxOverride: ({ lab }) => ({ params: { account: lab.customer.account, override: 'exempt' } }),
  accountSuspend: async (app) => ({ params: { id: await createAccount(app) } }),
  accountResume: async (app) => {
    const id = await createAccount(app);
    await operatorResult(app, 'POST', 'account/suspend', { id, reason: 'a sweep' });
    return { params: { id } };
  },
  accountClose: async (app) => ({ params: { id: await createAccount(app) } }),
  accountExportCreate: async (app) => ({ params: { id: await createAccount(app) } }),
  accountExportList: ({ lab }) => ({ params: { id: lab.customer.account } }),
  accountExportFile: async ({ parts: { store, clock }, lab }) => {
    const now = clock.now();
    const archive = { account_id: Number(lab.customer.account) as AccountId, operator: 'a sweep', reason: 'a sweep' };
    const times = { created_at: now, ready_at: now, expires_at: now + 86_400_000 };
    const row = { ...archive, ...times, status: 'Ready' as const, size_bytes: 0, error: '' };
    return { params: { export: String(await exportInsert(store.queries, row)) } };
  },
  erasureRequest: async (app) => ({ params: { id: await createAccount(app) } }),
  erasureCancel: async (app) => {
    const id = await createAccount(app);
    await operatorResult(app, 'POST', 'erasure', { id, reason: 'a sweep' });
    return { params: { id } };
  },
  erasureReplay: async (app) => ({ params: { accounts: [await createAccount(app)] } }),
  netblockRelease: async (app) => ({ params: { netblock: await assignedBlock(app) } }),
  serviceGet: ({ lab }) => ({ params: { id: lab.dedicated.service } }),
  serviceProvision: ({ lab }) => ({ params: machineOrder(lab.customer.account) }),
  serviceSuspend: async (app) => {
    await workEnded(app);
    return { params: { id: app.lab.cloud.service } };
  },
  serviceResume: async (app) => {
    const { lab, parts } = app;
    await workEnded(app);
    const id = Number(lab.vps.service);
    await parts.store.queries.updateTable('services').set({ status: 'Suspended' }).where('id', '=', id).execute();
    return { params: { id } };
  },
  serviceRetry: async (app) => {
    await workEnded(app);
    const id = Number(app.lab.vps.service);
    const { queries } = app.parts.store;
    await queries.updateTable('services').set({ status: 'Pending' }).where('id', '=', id).execute();
    await queries.updateTable('machines').set({ state: 'pending', node: null }).where('service_id', '=', id).execute();
    return { params: { id } };
  },
  serviceTerminate: async (app) => {
    await workEnded(app);
    const { service } = app.lab.dedicated;
    const { hostname } = await operatorResult<{ hostname: string }>(app, 'GET', `service/${service}`);
    return { params: { id: service, hostname } };
  },
  billingRunStart: async ({ parts: { store, clock } }) => {
    await confirmTime(store.queries, clock.now());
    return { params: {} };
  },
  billingResume: async ({ parts: { store, clock } }) => {
    await confirmTime(store.queries, clock.now() - 2 * dayMs);
    return { params: { date: dayText(clock.now()) } };
  },
  deviceGet: dedicatedDevice,
  devicePowerGet: dedicatedDevice,
  devicePowerSet: dedicatedDevice,
  deviceShutdown: deviceThatIsOn,
  deviceBootSet: dedicatedDevice,
  deviceHardwareGet: dedicatedDevice,
  deviceConsoleTicket: dedicatedDevice,
  deviceConsoleReset: dedicatedDevice,
  deviceRescueStatus: dedicatedDevice,
  deviceTemplateList: dedicatedDevice,
  deviceReloadStatus: dedicatedDevice,
  deviceReloadLog: dedicatedDevice,
  portEnable: dedicatedDevice,
  portDisable: dedicatedDevice,
  trafficGet: dedicatedDevice,
  monthGet: dedicatedDevice,
  ...deviceWorkMakers,
  ...moneyMakers,
  ...pricingMakers,
  ...sepaMakers,
  ...paymentMakers,
  deviceLock: ({ lab }) => ({ params: { device: lab.dedicated.server } }),
  deviceUnlock: async (app) => holdDevice(app, 'lock'),
  deviceMaintenanceBegin: ({ lab }) => ({ params: { device: `vm-${lab.vps.vmid}` } }),
  deviceMaintenanceEnd: async (app) => holdDevice(app, 'maintenance'),
  deviceSensorsGet: ({ lab }) => ({ params: { server: lab.dedicated.server } }),
  deviceDiscover: ({ lab }) => ({ params: { server: lab.dedicated.server } }),
  reclaimRetry: async (app) => ({ params: { server: await inQuarantine(app) } }),
  reclaimSignOff: async (app) => ({ params: { server: await inQuarantine(app), step: 'erase' } }),
  keyList: ({ lab }) => ({ params: { account: lab.customer.account } }),
  keyCreate: ({ lab }) => ({ params: { account: lab.customer.account } }),
  keyRevoke: async (app) => {
    const { account } = app.lab.customer;
    const { id } = await operatorResult<{ id: string }>(app, 'POST', 'key', {
      account,
      name: 'sweep',
      scopes: ['all'],
    });
    return { params: { account, id } };
  },
  impersonationStart: async (app) => ({
    params: { account: app.lab.customer.account },
    key: (await signInOperator(app, 'support')).key,
  }),
  impersonationEnd: async (app) => {
    const { key } = await signInOperator(app, 'support');
    const params = { account: app.lab.customer.account, reason: 'a sweep' };
    const { id } = await operatorResult<{ id: string }>(app, 'POST', 'impersonation', params, key);
    return { params: { id } };
  },
  accountGet: ({ lab }) => ({ params: { id: lab.customer.account } }),
  signUpApprove: async (app) => ({ params: { id: (await insertSignUp(app, 'Waiting')).id } }),
  signUpReject: async (app) => ({ params: { id: (await insertSignUp(app, 'Waiting')).id } }),
  signUpInvitationCreate: async (app) => {
    await allowSignUp(app, { mode: 'invited' });
    return { params: {} };
  },
  signUpInvitationDelete: async (app) => ({ params: { id: await insertSignUpInvitation(app) } }),
  requestApprove: async (app) => ({ params: { id: await waitingRequest(app) } }),
  requestRefuse: async (app) => ({ params: { id: await waitingRequest(app) } }),
  noteList: ({ lab }) => ({ params: { account: lab.customer.account } }),
  noteCreate: ({ lab }) => ({ params: { account: lab.customer.account } }),
  noteUpdate: async (app) => ({ params: { id: await noteOfStaff(app) } }),
  noteDelete: async (app) => ({ params: { id: await noteOfStaff(app) } }),
  contactList: ({ lab }) => ({ params: { account: lab.customer.account } }),
  invoiceList: ({ lab }) => ({ params: { account: lab.customer.account } }),
  invoiceGet: async (app) => {
    const { account } = app.lab.customer;
    const [invoice] = await operatorResult<{ id: string }[]>(app, 'GET', 'invoice', { account, limit: 1 });
    return { params: { id: invoice!.id } };
  },
  paymentList: ({ lab }) => ({ params: { account: lab.customer.account } }),
  eventList: ({ lab }) => ({ params: { account: lab.customer.account } }),
  searchGet: ({ lab }) => ({ params: { text: lab.dedicated.ips[0]! } }),
  licenceOrderDeliver: async (app) => ({ params: { id: await orderedLicence(app), key: 'KEY-OF-A-SWEEP' } }),
  servicePreview: ({ lab }) => ({ params: machineOrder(lab.customer.account) }),
  nodeGet: () => ({ params: { name: labHypervisorName } }),
  ...migrationMakers,
  machineList: () => ({ params: { node: labHypervisorName } }),
  switchGet: () => ({ params: { name: labSwitchName } }),
  portList: () => ({ params: { switch: labSwitchName } }),
  workflowGet: async (app) => ({ params: { id: await runUnderWay(app) } }),
  workflowRetry: async (app) => ({ params: { id: await runUnderWay(app) } }),
  workflowUnwind: async (app) => ({ params: { id: await runUnderWay(app) } }),
  mailGet: async (app) => ({ params: { id: await failedMail(app) } }),
  mailResend: async (app) => ({ params: { id: await failedMail(app) } }),
  undeliverableClear: async ({ parts, lab }) => {
    const address = 'gone@example.net';
    const bounce = { account_id: Number(lab.customer.account) as AccountId, address, count: 3, diagnostic: '' };
    await bouncePut(parts.store.queries, { ...bounce, bounced_at: 1, undeliverable_since: 1 });
    return { params: { account: lab.customer.account, address } };
  },
  maintenanceCreate: (app) => ({ params: plannedMaintenance(app) }),
  maintenanceUpdate: async (app) => ({ params: { ...plannedMaintenance(app), id: await draftedMaintenance(app) } }),
  maintenanceAnnounce: async (app) => ({ params: { id: await draftedMaintenance(app) } }),
  maintenanceCancel: async (app) => ({ params: { id: await draftedMaintenance(app) } }),
  maintenanceComplete: async (app) => {
    const id = await draftedMaintenance(app);
    await operatorResult(app, 'POST', 'maintenance/announce', { id });
    return { params: { id } };
  },
  jobRetry: async ({ parts }) => ({ params: { id: await createFailedJob(parts) } }),
  nullrouteAdd: ({ lab }) => ({ params: { ip: lab.dedicated.ips[0]! } }),
  nullrouteRemove: async (app) => {
    const ip = app.lab.dedicated.ips[0]!;
    await operatorResult(app, 'POST', 'nullroute', { ip, reason: 'a sweep' });
    return { params: { ip } };
  },
};

/** Returns a call that succeeds. */
export async function operatorCall(app: TestApp, route: Route): Promise<OperatorCall> {
  const call = await makers[route.operation.name]?.(app, route);
  return { ...call, params: { ...requiredExample(route.endpoint), ...call?.params } };
}
