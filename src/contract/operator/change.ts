// The operator's side: that something has changed. What it was, each page asks for itself.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';

const Change = Type.Object({ number: Type.String({ description: 'Counts what this node has seen since it started' }) });

export const changeOperator = {
  changeList: endpoint({
    method: 'GET',
    path: '/operator/change',
    tag: 'fleet',
    access: 'operator:read',
    command: 'change list',
    addition: true,
    streams: true,
    summary: 'That something has changed, as it happens: for pages that show what is so now',
    description:
      'With `Accept: text/event-stream` an event within a second of every change on this node, and at least every five ' +
      'seconds, since other nodes change things too. It does not say what has changed, and nothing of it is kept: ' +
      'without that header the list is empty.',
    params: {},
    result: Type.Array(Change),
  }),
} as const;
