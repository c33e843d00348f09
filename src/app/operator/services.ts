// Services of all accounts as operators see them.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { serviceOperator } from '#contract/operator/service.ts';
import type { OperatorService, OperatorServiceListItem } from '#contract/shapes/operator-service.ts';
import { requireFound } from '#lib/api-error.ts';
import { dayNumberText, timeText } from '#lib/time.ts';
import { moneyText } from '#lib/money.ts';
import { machineFind } from '#store/devices/machines.ts';
import { netblockList } from '#store/network/netblocks.ts';
import { serviceSearch, runningWorkflowNames } from '#store/operator/operator-services.ts';
import { suspensionOfService } from '#store/devices/service-suspensions.ts';
import { termsOfService } from '#store/billing/service-terms.ts';
import { serviceLoad, type Service } from '#store/devices/services.ts';
import type { Context } from '../app.ts';
import { pageLength } from './accounts.ts';

export async function serviceList(
  { queries }: Context,
  { account, type, status, search, limit = pageLength, after = 0 }: InputOf<typeof serviceOperator.serviceList>,
): Promise<Static<typeof OperatorServiceListItem>[]> {
  return (await serviceSearch(queries, { account, type, status, search, limit, after })).map(serviceListItem);
}

export async function serviceGet({ queries }: Context, id: number): Promise<Static<typeof OperatorService>> {
  const service = requireFound(await serviceLoad(queries, id), 'Service not found.');
  const machine = await machineFind(queries, id);
  const terms = await termsOfService(queries, service.account_id, id);
  return {
    ...serviceListItem(service),
    netblocks: (await netblockList(queries, service.account_id, id)).map(({ cidr }) => cidr),
    node: machine?.node ?? '',
    waiting: machine?.reason ?? '',
    detail: machine?.detail ?? '',
    attempts: String(machine?.attempts ?? 0),
    nextattempt: machine?.state === 'pending' && machine.attempts > 0 ? timeText(machine.next_attempt_at) : '',
    suspension: (await suspensionOfService(queries, id))?.reason ?? '',
    work: await runningWorkflowNames(queries, id),
    terms: terms.map((term) => ({
      plan: term.plan,
      price: moneyText(term.price_cents),
      cycle: String(term.cycle_months),
      from: dayNumberText(term.from_day),
      until: term.until_day === null ? '' : dayNumberText(term.until_day),
    })),
  };
}

function serviceListItem(service: Service): Static<typeof OperatorServiceListItem> {
  return {
    id: String(service.id),
    account: String(service.account_id),
    type: service.type,
    name: service.name,
    hostname: service.hostname,
    status: service.status,
    ip: service.ip,
    server: service.server ?? '',
    vmid: service.vmid === null ? '' : String(service.vmid),
    created: timeText(service.created_at),
  };
}
