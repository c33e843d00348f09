// Operator API: notifies that something has changed. Clients reload what they show.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { described } from '../shapes/text.ts';

export const Change = Type.Object({
  number: described('Number of changes that this instance has seen since it started'),
});

export const changeOperator = {
  changeList: endpoint({
    method: 'GET',
    path: '/operator/change',
    tag: 'fleet',
    access: 'operator:read',
    command: 'change list',
    streams: true,
    summary: 'Stream change notifications',
    description:
      'With `Accept: text/event-stream`, sends an event within a second of every change on this instance, and at least every five ' +
      'seconds, because other instances change things too. It does not say what has changed, and events are not stored: ' +
      'without that header the list is empty.',
    result: Type.Array(Change),
  }),
} as const;
