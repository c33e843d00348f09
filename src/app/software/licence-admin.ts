// Licence orders as staff handle them: list those that wait for a key, and provide it.
import { appendEvent } from '#events/append.ts';
import { licenceFulfil, licencesPending } from '#store/billing/licences.ts';
import { licenceSealContext } from '#workflows/billing/licence-order.ts';
import { workflowJob } from '#workflows/engine/runner.ts';
import { CommandError } from '#lib/command-error.ts';
import type { App } from '../app.ts';

export async function listLicenceOrders(app: App): Promise<string[]> {
  const pending = await licencesPending(app.store.queries);
  return pending.map(
    ({ id, account_id, service_id, name }) => `${id} account ${account_id} service ${service_id} ${name}`,
  );
}

export async function fulfilLicence(app: App, id: number, key: string): Promise<void> {
  await app.store.transaction(async (queries) => {
    const licence = (await licencesPending(queries)).find((order) => order.id === id);
    if (licence === undefined || !(await licenceFulfil(queries, id, app.secrets.seal(key, licenceSealContext(id)))))
      throw new CommandError(`no order ${id} is waiting for a key`);
    const { account_id: account, service_id: service, name } = licence;
    const data = { orderid: String(id), license: name };
    await appendEvent(app, queries, { account, service, type: 'software.fulfilled', data });
    // Wakes the workflow, which would otherwise poll minutes later.
    await app.queue.enqueue(queries, workflowJob, { id: licence.workflow_id });
  });
}
