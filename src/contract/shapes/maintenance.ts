// Planned maintenance, as staff and as the affected customers see it.
import { Type } from 'typebox';
import { Moment } from './account.ts';
import { described, text } from './text.ts';

const names = Type.Array(text);

export const maintenanceStatuses = ['Draft', 'Announced', 'Cancelled', 'Completed'] as const;
export type MaintenanceStatus = (typeof maintenanceStatuses)[number];

/** What it affects: everything, or equipment with all services on it. */
export const MaintenanceTargets = Type.Object({
  all: Type.Boolean(),
  nodes: names,
  switches: names,
  racks: names,
  servers: names,
});

const common = {
  id: text,
  title: text,
  text: described('The staff’s description of what happens'),
  start: Moment,
  end: Moment,
};

export const OperatorMaintenance = Type.Object({
  ...common,
  status: Type.Enum(maintenanceStatuses, { description: 'Draft: customers cannot see it yet' }),
  ...MaintenanceTargets.properties,
  operator: described('The member of staff who created it'),
  accounts: described('How many accounts were notified'),
  services: described('How many of their services are affected'),
  created: Moment,
  updated: Moment,
});

export const Maintenance = Type.Object({
  ...common,
  status: Type.Enum(['Announced', 'Cancelled', 'Completed']),
  services: Type.Array(Type.Object({ service: text, hostname: text }), { description: 'Your affected services' }),
});
