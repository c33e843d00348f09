// Input for each operator endpoint in the response sweep, naming resources that exist.
import { storeDeliverySettings } from '#app/billing/delivery/settings.ts';
import { storeTaxSettings } from '#app/billing/tax/settings.ts';
import { bouncePut } from '#store/mail/bounces.ts';
import { mailsInsert } from '#store/mail/mails.ts';
import { dayMs, dayText } from '#lib/time.ts';
import { licenceInsert } from '#store/billing/licences.ts';
import { confirmTime } from '#store/work/trusted-time.ts';
import { billingRun } from '#workflows/billing/billing-run.ts';
import { startWorkflow } from '#workflows/engine/runner.ts';
import { customerMakers } from './customer-makers.ts';
import { deviceMakers } from './device-makers.ts';
import { requiredExample, type Example } from './examples.ts';
import { createFailedJob } from './failed-job.ts';
import { migrationMakers } from './migration-makers.ts';
import { issuedInvoice, moneyMakers, ofCustomer } from './money-fixtures.ts';
import { createAccount, operatorResult } from './operators.ts';
import { paymentMakers } from './payment-fixtures.ts';
import { pricingMakers } from './pricing-makers.ts';
import type { Route } from './routes.ts';
import { sepaMakers } from './sepa-fixtures.ts';
import { staffMakers } from './staff-makers.ts';
import type { TestApp } from './app.ts';
import type { AccountId } from '#store/account-id.ts';

export interface OperatorCall {
  readonly params: Example;
  /** The lab owner's key if omitted. */
  readonly key?: string;
}
export type Maker = (app: TestApp, route: Route) => OperatorCall | Promise<OperatorCall>;

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

const january = { from: '2026-01-01', until: '2026-01-31' };

/** By operation; others are called with their required parameters only. */
const makers: Readonly<Record<string, Maker>> = {
  ...staffMakers,
  ...customerMakers,
  ...deviceMakers,
  ...migrationMakers,
  ...moneyMakers,
  ...pricingMakers,
  ...sepaMakers,
  ...paymentMakers,
  exchangeRateSet: () => ({ params: { currency: 'USD', date: '2026-01-02', rate: '1.0832' } }),
  accountCurrencySet: async (app) => ({ params: { account: await createAccount(app), currency: 'USD' } }),
  accountStatement: ({ lab }) => ({ params: { account: lab.customer.account, ...january } }),
  accountStatementPdf: ({ lab }) => ({ params: { account: lab.customer.account, ...january } }),
  invoiceList: ofCustomer,
  invoiceGet: async (app) => {
    const { account } = app.lab.customer;
    const [invoice] = await operatorResult<{ id: string }[]>(app, 'GET', 'invoice', { account, limit: 1 });
    return { params: { id: invoice!.id } };
  },
  invoiceDeliver: async (app) => {
    const invoiceDelivery = { driver: 'access-point', url: 'https://127.0.0.1:1', token: 'x' } as const;
    await storeDeliverySettings(app.parts.secrets, app.parts.store.queries, { ...app.site, invoiceDelivery });
    return { params: { id: await issuedInvoice(app) } };
  },
  paymentList: ofCustomer,
  taxGet: ofCustomer,
  taxUpdate: ofCustomer,
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
  billingRunStart: async ({ parts: { store, clock } }) => {
    await confirmTime(store.queries, clock.now());
    return { params: {} };
  },
  billingResume: async ({ parts: { store, clock } }) => {
    await confirmTime(store.queries, clock.now() - 2 * dayMs);
    return { params: { date: dayText(clock.now()) } };
  },
  licenceOrderDeliver: async (app) => ({ params: { id: await orderedLicence(app), key: 'KEY-OF-A-SWEEP' } }),
  searchGet: ({ lab }) => ({ params: { text: lab.dedicated.ips[0]! } }),
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
};

/** Returns a call that succeeds. */
export async function operatorCall(app: TestApp, route: Route): Promise<OperatorCall> {
  const call = await makers[route.operation.name]?.(app, route);
  return { ...call, params: { ...requiredExample(route.endpoint), ...call?.params } };
}
