// v2: actions.
import type { actionV2 } from '#contract/v2/action.ts';
import { actionGet, actionList } from '#app/operations/actions.ts';
import type { HandlersOf } from '../handler.ts';

export const actionHandlers: HandlersOf<typeof actionV2> = {
  actionList,
  actionGet: (context, { id, wait }) => actionGet(context, id, wait ?? 0),
};
