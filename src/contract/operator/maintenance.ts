// Operator API: planned maintenance, which affected customers are notified of.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { maintenanceStatuses, OperatorMaintenance } from '../shapes/maintenance.ts';

const writeEndpoint = { tag: 'maintenance', access: 'operator:equipment', effect: 'stored' } as const;

const Names = p.optional(p.List(p.Text({ max: 128 }), { max: 200 }));
const fields = {
  title: p.PersonLine,
  text: p.Text({ max: 4000 }),
  start: p.Timestamp,
  end: p.Timestamp,
} as const;
const targets = { all: p.optional(p.Flag), nodes: Names, switches: Names, racks: Names, servers: Names } as const;

export const maintenanceOperator = {
  maintenanceList: endpoint({
    method: 'GET',
    path: '/operator/maintenance',
    tag: 'maintenance',
    access: 'operator:read',
    command: 'maintenance list',
    summary: 'List planned maintenance, newest first',
    params: { status: p.optional(p.Choice(...maintenanceStatuses)), ...p.pageBefore(p.Id) },
    result: Type.Array(OperatorMaintenance),
  }),
  maintenanceCreate: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/maintenance',
    command: 'maintenance create',
    summary: 'Plan maintenance',
    description:
      'Creates a draft, which customers cannot see. Name the equipment: hypervisors, switches, racks with everything in them, servers, or `all`.',
    params: { ...fields, ...targets },
  }),
  maintenanceUpdate: endpoint({
    ...writeEndpoint,
    method: 'PUT',
    path: '/operator/maintenance',
    command: 'maintenance update',
    summary: 'Change planned maintenance',
    description: 'If it has been announced, the affected customers are notified of the change.',
    params: { id: p.Id, ...p.allOptional(fields), ...targets },
    target: ['id'],
    errors: ['state_conflict'],
  }),
  maintenanceAnnounce: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/maintenance/announce',
    command: 'maintenance announce',
    summary: 'Announce planned maintenance',
    description: 'Affected customers get an event, and email if their contacts receive it.',
    params: { id: p.Id },
    target: ['id'],
    errors: ['state_conflict'],
  }),
  maintenanceCancel: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/maintenance/cancel',
    command: 'maintenance cancel',
    summary: 'Cancel planned maintenance',
    description: 'If it has been announced, the affected customers are notified.',
    params: { id: p.Id },
    target: ['id'],
    errors: ['state_conflict'],
  }),
  maintenanceComplete: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/maintenance/complete',
    command: 'maintenance complete',
    summary: 'Complete announced maintenance',
    description: 'Affected customers get an event but no email.',
    params: { id: p.Id },
    target: ['id'],
    errors: ['state_conflict'],
  }),
} as const;
