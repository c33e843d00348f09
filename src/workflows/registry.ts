// Every workflow that can be running, old versions included until nothing uses them. Tests run each one through the harness, and
// fail for a workflow without a scenario.
import { billingRun, type BillingRunDeps } from './billing/billing-run.ts';
import { licenceOrder, type LicenceOrderDeps } from './billing/licence-order.ts';
import { keyRollover, type KeyRolloverDeps } from './dns/key-rollover.ts';
import type { MachineDeps, ServerDeps } from './device-steps.ts';
import { machineDelete } from './machine/machine-delete.ts';
import { machineBackup } from './machine/machine-backup.ts';
import { machineBackupRestore } from './machine/machine-backup-restore.ts';
import { machineBackupVolume } from './machine/machine-backup-volume.ts';
import { machineCreate, machineCreateFromBackup } from './machine/machine-create.ts';
import { machineMigrate } from './machine/machine-migrate.ts';
import { machineImage } from './machine/machine-image.ts';
import { machinePower } from './machine/machine-power.ts';
import { machineReinstall } from './machine/machine-reinstall.ts';
import { machineVolume } from './machine/machine-volume.ts';
import { machineResize, type ResizeDeps } from './machine/machine-resize.ts';
import { machineRestore } from './machine/machine-restore.ts';
import { machineSnapshot } from './machine/machine-snapshot.ts';
import { imageUpload, type ImageUploadDeps } from './server/image-upload.ts';
import { serverPassword, serverReload, serverRescue } from './server/network-boot.ts';
import { serverReclaim } from './server/reclaim.ts';
import type { ReclaimDeps } from './server/reclaim-steps.ts';
import { powerCycle } from './server/power-cycle.ts';
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
  ReclaimDeps &
  ResizeDeps &
  ServerDeps &
  ShutdownDeps &
  TerminateDeps;

export const workflows: readonly AnyWorkflow<WorkflowDeps>[] = [
  billingRun,
  imageUpload,
  keyRollover,
  licenceOrder,
  machineBackup,
  machineBackupRestore,
  machineBackupVolume,
  machineCreate,
  machineCreateFromBackup,
  machineDelete,
  machineMigrate,
  machineImage,
  machinePower,
  machineReinstall,
  machineResize,
  machineRestore,
  machineSnapshot,
  machineVolume,
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
