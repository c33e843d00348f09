// Requests for addresses that a pool's policy leaves to the operator: approved, or refused with a reason.
import type { Static } from 'typebox';
import type { AddressRequest } from '#contract/operator/request.ts';
import { Fault } from '#kernel/fault.ts';
import { momentText } from '#kernel/moments.ts';
import * as store from '#store/network/netblock-requests.ts';
import type { NetblockRequest, NetblockRequestStatus } from '#store/network/netblock-requests.ts';
import { serviceFind } from '#store/devices/services.ts';
import { freeBlock, netblockGive } from '../network/netblock-requests.ts';
import type { Context } from '../yard.ts';
import { pageLength } from './accounts.ts';

type Shown = Static<typeof AddressRequest>;

export interface RequestFilter {
  readonly status?: NetblockRequestStatus;
  readonly limit?: number;
  readonly before?: number;
}

export async function requestList({ queries }: Context, filter: RequestFilter): Promise<Shown[]> {
  const { status, before, limit = pageLength } = filter;
  return (await store.netblockRequestList(queries, { status, before, limit })).map(shown);
}

export async function requestApprove(context: Context, id: number): Promise<Shown> {
  const request = await pending(context, id);
  const { account_id, service_id, family, prefix_length } = request;
  const service = await serviceFind(context.queries, account_id, service_id);
  if (service === undefined || service.status === 'Terminated')
    throw new Fault('state_conflict', { message: 'The service is there no more; refuse the request.' });
  const { range } = await freeBlock(context, family, prefix_length);
  const cidr = await netblockGive(context.actFor(account_id), service, range, prefix_length);
  return decided(context, request, { status: 'Assigned', cidr, reason: '' });
}

export async function requestRefuse(context: Context, id: number, reason: string): Promise<Shown> {
  const request = await pending(context, id);
  const data = { requestid: String(id), size: `/${request.prefix_length}`, reason };
  context.actFor(request.account_id).tell('network.netblock.refused', data, request.service_id);
  return decided(context, request, { status: 'Refused', cidr: '', reason });
}

async function pending({ queries }: Context, id: number): Promise<NetblockRequest> {
  const request = await store.netblockRequestFind(queries, id);
  if (request === undefined) throw new Fault('not_found', { message: 'There is no such request.' });
  if (request.status !== 'Pending') throw alreadyDecided();
  return request;
}

function alreadyDecided(): Fault {
  return new Fault('state_conflict', { message: 'It was decided already.' });
}

type Decision = Omit<Parameters<typeof store.netblockRequestDecide>[2], 'at'>;

async function decided({ queries, yard }: Context, request: NetblockRequest, decision: Decision): Promise<Shown> {
  const at = yard.clock.now();
  // Two operators at once: one of them decides, and nothing of the other's is kept.
  if (!(await store.netblockRequestDecide(queries, request.id, { ...decision, at }))) throw alreadyDecided();
  return shown({ ...request, ...decision, decided_at: at });
}

function shown(request: NetblockRequest): Shown {
  return {
    id: String(request.id),
    account: String(request.account_id),
    service: String(request.service_id),
    family: request.family,
    size: `/${request.prefix_length}`,
    status: request.status,
    netblock: request.cidr,
    created: momentText(request.created_at),
    decided: request.decided_at === null ? '' : momentText(request.decided_at),
    reason: request.reason,
  };
}
