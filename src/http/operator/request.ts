// Operator API: address requests.
import type { requestOperator } from '#contract/operator/request.ts';
import { requestApprove, requestList, requestRefuse } from '#app/operator/requests.ts';
import type { HandlersOf } from '../handler.ts';

export const requestHandlers: HandlersOf<typeof requestOperator> = {
  requestList,
  requestApprove: (context, { id }) => requestApprove(context, id),
  requestRefuse: (context, { id, reason }) => requestRefuse(context, id, reason),
};
