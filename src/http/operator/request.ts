// Operator API: address requests.
import type { Handlers } from '#contract/endpoint.ts';
import type { requestOperator } from '#contract/operator/request.ts';
import { requestApprove, requestList, requestRefuse } from '#app/operator/requests.ts';
import type { Context, Visitor } from '#app/app.ts';

export const requestHandlers: Handlers<typeof requestOperator, Context, Visitor> = {
  requestList,
  requestApprove: (context, { id }) => requestApprove(context, id),
  requestRefuse: (context, { id, reason }) => requestRefuse(context, id, reason),
};
