// Every workflow that can be running, old versions included until nothing uses them. registry.test.ts runs each one through
// the harness and fails for a workflow without a scenario.
import { billingRun, type BillingRunDeps } from './billing/billing-run.ts';
import { licenceOrder, type LicenceOrderDeps } from './billing/licence-order.ts';
import { keyRollover, type KeyRolloverDeps } from './dns/key-rollover.ts';
import type { MachineDeps } from './device-steps.ts';
import { machineCreate } from './machine/machine-create.ts';
import { machinePower } from './machine/machine-power.ts';
import { machineReinstall } from './machine/machine-reinstall.ts';
import { imageUpload, type ImageUploadDeps } from './server/image-upload.ts';
import { serverPassword, serverReload, serverRescue } from './server/network-boot.ts';
import { serverReclaim } from './server/reclaim.ts';
import type { ReclaimDeps } from './server/reclaim-steps.ts';
import { powerCycle, type PowerCycleDeps } from './server/power-cycle.ts';
import { serviceResume } from './service/service-resume.ts';
import { serviceSuspend, serviceSuspendV1 } from './service/service-suspend.ts';
import { serviceTerminate, type TerminateDeps } from './service/service-terminate.ts';
import { shutdown, type ShutdownDeps } from './service/shutdown.ts';
import type { AnyWorkflow } from './engine/workflow.ts';

export type WorkflowDeps = BillingRunDeps &
  ImageUploadDeps &
  KeyRolloverDeps &
  LicenceOrderDeps &
  MachineDeps &
  PowerCycleDeps &
  ReclaimDeps &
  ShutdownDeps &
  TerminateDeps;

export const workflows: readonly AnyWorkflow<WorkflowDeps>[] = [
  billingRun,
  imageUpload,
  keyRollover,
  licenceOrder,
  machineCreate,
  machinePower,
  machineReinstall,
  powerCycle,
  serverPassword,
  serverReclaim,
  serverReload,
  serverRescue,
  serviceResume,
  serviceSuspend,
  serviceSuspendV1,
  serviceTerminate,
  shutdown,
];
