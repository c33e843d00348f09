// Operator API: adoption of machines.
import type { adoptionOperator } from '#contract/operator/adoption.ts';
import { machineAdopt, machineInspect, nodeAdoptable } from '#app/machines/staff-adoption.ts';
import type { HandlersOf } from '../handler.ts';

export const adoptionHandlers: HandlersOf<typeof adoptionOperator> = {
  nodeAdoptable: (context, { name }) => nodeAdoptable(context, name),
  machineInspect,
  machineAdopt,
};
