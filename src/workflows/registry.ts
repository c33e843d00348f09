// Every workflow that can be under way, old versions included until nothing runs under them. What stands here is enrolled
// in the harness (registry.test.ts): one without a scenario there fails the test run.
import { billingRun, type BillingRunDeps } from './billing-run.ts';
import { licenceOrder, type LicenceOrderDeps } from './licence-order.ts';
import type { MachineDeps } from './machine-command.ts';
import { machineCreate } from './machine-create.ts';
import { machinePower } from './machine-power.ts';
import { machineReinstall } from './machine-reinstall.ts';
import { powerCycle, type PowerCycleDeps } from './power-cycle.ts';
import { serverPassword } from './server-password.ts';
import { serverReload } from './server-reload.ts';
import { serverRescue } from './server-rescue.ts';
import type { ServiceDeps } from './service-device.ts';
import { serviceResume } from './service-resume.ts';
import { serviceSuspend } from './service-suspend.ts';
import { serviceTerminate } from './service-terminate.ts';
import type { AnyWorkflow } from './workflow.ts';

/** What steps work with. Each kind of equipment adds its part. */
export type WorkflowDeps = BillingRunDeps & LicenceOrderDeps & MachineDeps & PowerCycleDeps & ServiceDeps;

export const workflows: readonly AnyWorkflow<WorkflowDeps>[] = [
  billingRun,
  licenceOrder,
  machineCreate,
  machinePower,
  machineReinstall,
  powerCycle,
  serverPassword,
  serverReload,
  serverRescue,
  serviceResume,
  serviceSuspend,
  serviceTerminate,
];
