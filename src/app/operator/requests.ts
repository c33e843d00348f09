// Address requests that the pool's policy leaves to an operator: approved, or rejected with a reason.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { AddressRequest, requestOperator } from '#contract/operator/request.ts';
import { type ApiError, conflict, requireFound } from '#lib/api-error.ts';
import { optionalTimeText, timeText } from '#lib/time.ts';
import * as store from '#store/network/netblock-requests.ts';
import { serviceLock } from '#store/operator/operator-services.ts';
import { findFreeBlock, assignNetblock } from '../network/netblock-requests.ts';
import type { AccountId } from '#store/account-id.ts';
import type { Context } from '../app.ts';
import { pageLength } from './accounts.ts';

type RequestShape = Static<typeof AddressRequest>;

export async function requestList(
  { queries }: Context,
  { account, status, before, limit = pageLength }: InputOf<typeof requestOperator.requestList>,
): Promise<RequestShape[]> {
  return (
    await store.netblockRequestList(queries, { account: account as AccountId | undefined, status, before, limit })
  ).map(requestShape);
}

export async function requestApprove(context: Context, id: number): Promise<RequestShape> {
  const request = await getPendingRequest(context, id);
  const { account_id, service_id, family, prefix_length } = request;
  // A termination that ends at the same time must release this block, too.
  const service = await serviceLock(context.queries, service_id);
  if (service === undefined || service.status === 'Terminated')
    throw conflict('The service no longer exists. Reject the request.');
  const range = await findFreeBlock(context, service, family, prefix_length);
  const cidr = await assignNetblock(context.onBehalfOf(account_id), service, range, prefix_length);
  return decideRequest(context, request, { status: 'Assigned', cidr, reason: '' });
}

export async function requestRefuse(context: Context, id: number, reason: string): Promise<RequestShape> {
  const request = await getPendingRequest(context, id);
  const data = { requestid: String(id), size: `/${request.prefix_length}`, reason };
  context.onBehalfOf(request.account_id).emit('network.netblock.refused', data, request.service_id);
  return decideRequest(context, request, { status: 'Refused', cidr: '', reason });
}

async function getPendingRequest({ queries }: Context, id: number): Promise<store.NetblockRequest> {
  const request = requireFound(await store.netblockRequestFind(queries, id), 'Request not found.');
  if (request.status !== 'Pending') throw alreadyDecided();
  return request;
}

function alreadyDecided(): ApiError {
  return conflict('The request has already been decided.');
}

type Decision = Pick<store.NetblockRequest, 'status' | 'cidr' | 'reason'>;

async function decideRequest(
  { queries, app }: Context,
  request: store.NetblockRequest,
  outcome: Decision,
): Promise<RequestShape> {
  const decision = { ...outcome, decided_at: app.clock.now() };
  // If two operators decide at the same time, the second is rejected and rolled back.
  if (!(await store.netblockRequestDecide(queries, request.id, decision))) throw alreadyDecided();
  return requestShape({ ...request, ...decision });
}

function requestShape(request: store.NetblockRequest): RequestShape {
  return {
    id: String(request.id),
    account: String(request.account_id),
    service: String(request.service_id),
    family: request.family,
    size: `/${request.prefix_length}`,
    status: request.status,
    netblock: request.cidr,
    created: timeText(request.created_at),
    decided: optionalTimeText(request.decided_at),
    reason: request.reason,
  };
}
