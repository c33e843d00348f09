// What the provider's staff do about licences: see which orders wait for a key, and give it.
import { eventAppend } from '#jobs/event-append.ts';
import { licenceFulfil, licencesPending } from '#store/billing/licences.ts';
import { licenceSealContext } from '#workflows/licence-order.ts';
import { workflowJob } from '#workflows/runner.ts';
import { AdminError } from '../admin-error.ts';
import type { Yard } from '../yard.ts';

export async function licenceOrdersText(yard: Yard): Promise<string[]> {
  const pending = await licencesPending(yard.store.queries);
  return pending.map(
    ({ id, account_id, service_id, name }) => `${id} account ${account_id} service ${service_id} ${name}`,
  );
}

export async function licenceGive(yard: Yard, id: number, key: string): Promise<void> {
  await yard.store.transaction(async (queries) => {
    const licence = (await licencesPending(queries)).find((one) => one.id === id);
    if (licence === undefined || !(await licenceFulfil(queries, id, yard.secrets.seal(key, licenceSealContext(id)))))
      throw new AdminError(`no order ${id} waits for a key`);
    const { account_id: account, service_id: service, name } = licence;
    const data = { orderid: String(id), license: name };
    await eventAppend(yard, queries, { account, service, type: 'software.fulfilled', data });
    // The order is waiting, perhaps for minutes: it looks again at once.
    await yard.jobs.enqueue(queries, workflowJob, { id: licence.workflow_id });
  });
}
