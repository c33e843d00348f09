// Version 2, our addition: long-running operations of the account.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { Action, actionStatuses } from '../shapes/action.ts';

const WaitSeconds = p.optional(p.Whole(0, 60));

const readEndpoint = { method: 'GET', tag: 'action', access: 'device:read', addition: true } as const;

export const actionV2 = {
  actionList: endpoint({
    ...readEndpoint,
    path: '/v2/action',
    history: true,
    summary: 'List actions, newest first',
    description:
      'With `ids`, returns only these actions. With `ids` and `wait`, responds when one of them changes, or after that many seconds.',
    params: {
      ids: p.optional(p.List(p.ActionId, { max: 100 })),
      service: p.optional(p.Id),
      status: p.optional(p.Choice(...actionStatuses)),
      ...p.pageBefore(p.ActionId),
      wait: WaitSeconds,
    },
    result: Type.Array(Action),
  }),
  actionGet: endpoint({
    ...readEndpoint,
    path: '/v2/action/{id}',
    summary: 'Get an action, or wait until it changes',
    params: { id: p.ActionId, wait: WaitSeconds },
    result: Action,
  }),
} as const;
