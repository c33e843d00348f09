// v2: actions.
import type { Handlers } from '#contract/endpoint.ts';
import type { actionV2 } from '#contract/v2/action.ts';
import { actionGet, actionList } from '#app/operations/actions.ts';
import type { Context, Visitor } from '#app/app.ts';

export const actionHandlers: Handlers<typeof actionV2, Context, Visitor> = {
  actionList,
  actionGet: (context, { id, wait }) => actionGet(context, id, wait ?? 0),
};
