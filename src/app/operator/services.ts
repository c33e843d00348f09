// Services of all accounts as operators see them.
import type { Static } from 'typebox';
import type { OperatorService, OperatorServiceListItem } from '#contract/shapes/operator-service.ts';
import { ApiError } from '#lib/api-error.ts';
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
import type { ServiceStatus, ServiceType } from '#store/devices/tables.ts';

export interface ServiceFilter {
  readonly account?: number;
  readonly type?: ServiceType;
  readonly status?: ServiceStatus;
  readonly search?: string;
  readonly limit?: number;
  readonly after?: number;
}

export async function serviceList(
  { queries }: Context,
  { account, type, status, search, limit = pageLength, after = 0 }: ServiceFilter,
): Promise<Static<typeof OperatorServiceListItem>[]> {
  return (await serviceSearch(queries, { account, type, status, search, limit, after })).map(serviceListItem);
}

export async function serviceGet({ queries }: Context, id: number): Promise<Static<typeof OperatorService>> {
  const service = await getService(queries, id);
  const machine = await machineFind(queries, id);
  const terms = await termsOfService(queries, service.account_id, id);
  return {
    ...serviceListItem(service),
    netblocks: (await netblockList(queries, service.account_id, id)).map(({ cidr }) => cidr),
    node: machine?.node ?? '',
    waiting: machine?.reason ?? '',
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

export async function getService(queries: Context['queries'], id: number): Promise<Service> {
  const service = await serviceLoad(queries, id);
  if (service === undefined) throw new ApiError('not_found', { message: 'Service not found.' });
  return service;
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
