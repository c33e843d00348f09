// Reinstalls virtual machines: the call returns the new root password and a workflow does the rest. Everything that can be
// checked is checked first, while the machine is untouched.
import { commandTimeout, lockForWorkflow, retryWhileBusy } from '#equipment/device-command.ts';
import { ApiError, conflict } from '#lib/api-error.ts';
import { randomPassword } from '#lib/random.ts';
import { machineChange, machineName, type Machine } from '#store/devices/machines.ts';
import { hypervisorFind, hypervisorNameServers } from '#store/devices/hypervisors.ts';
import type { Service } from '#store/devices/services.ts';
import type { MachineKind } from '#store/devices/machine-tables.ts';
import { accountTemplates, baseTemplate, type AccountTemplate } from '#store/devices/machine-images.ts';
import { templateList, type Template } from '#store/devices/templates.ts';
import { workflowRunning, workflowsOfService } from '#store/work/workflows.ts';
import { machineTarget } from '#workflows/device-steps.ts';
import {
  installSealContext,
  machineReinstall,
  type MachineReinstallInput,
} from '#workflows/machine/machine-reinstall.ts';
import { sealInstallData } from '#workflows/machine/install-data.ts';
import { platformOf, platformProblems } from '#workflows/machine/template-platform.ts';
import { cancelWorkflow } from '#workflows/engine/runner.ts';
import { emitForService } from '../events/events.ts';
import { startServiceWork } from '../services/services.ts';
import { addressesToSet } from '../network/delivery.ts';
import { shutdownGraceMs } from './power.ts';
import { machineOf, rootPasswordLength, type PlacedMachine } from './machines.ts';
import type { Context } from '../app.ts';

/** Lists the operating systems that machines of this kind can be reinstalled with. */
export async function templateNames({ queries }: Context, kind: MachineKind) {
  return (await templateList(queries, kind)).map(({ name, value }) => ({ name, value }));
}

export async function machineTemplates(context: Context, service: Service) {
  const templates = await usableTemplates(context, service, await machineOf(context, service));
  return templates.map(({ name, value }) => ({ name, value }));
}

/** The provider's templates, then the images of the account that are on the machine's hypervisor and fit on its disk. */
async function usableTemplates(
  { queries }: Context,
  { account_id }: Service,
  { kind, node, disk_gb }: PlacedMachine,
): Promise<(Template | AccountTemplate)[]> {
  const images = (await accountTemplates(queries, account_id)).filter(
    (template) => template.kind === kind && template.image.node === node && template.image.disk_gb <= disk_gb,
  );
  return [...(await templateList(queries, kind)), ...images];
}

/** Returns the new root password, which is shown only this once. */
export async function startReinstall(
  context: Context,
  service: Service,
  value: string,
  sshKeys: readonly string[] = [],
): Promise<string> {
  const { queries, app } = context;
  const machine = await machineOf(context, service);
  const template = findTemplate(await usableTemplates(context, service, machine), machine.kind, value);
  await checkHypervisor(context, machine, template);
  const password = randomPassword(rootPasswordLength);
  const sealed = {
    install_secret: app.secrets.seal(password, installSealContext(service.id)),
    install_data: sealInstallData(app.secrets, service.id, { sshKeys }),
  };
  const input = {
    ...machineTarget(machine, 'a reinstall'),
    template: baseTemplate(template),
    source: template.source,
    platform: platformOf(template),
    hostname: service.hostname,
    addresses: await addressesToSet(queries, service),
    nameServers: hypervisorNameServers.decode((await hypervisorFind(queries, machine.node))?.name_servers ?? '[]'),
    graceMs: shutdownGraceMs,
  };
  // Another reinstall takes minutes: waiting for it would be in vain, unless it was cancelled.
  const isWorthWaiting = async (): Promise<boolean> =>
    !(await workflowsOfService(queries, service.id)).some(
      ({ name, cancel_requested }) => name === machineReinstall.name && cancel_requested === 0,
    );
  const begin = () => beginReinstall(context, service, input, sealed);
  await retryWhileBusy(app.leaseFeed, input.name, begin, isWorthWaiting);
  return password;
}

/** Locks the machine in the workflow's name in the same transaction, so that only one of two concurrent calls succeeds. */
async function beginReinstall(
  context: Context,
  service: Service,
  input: MachineReinstallInput,
  sealed: Pick<Machine, 'install_secret' | 'install_data'>,
): Promise<void> {
  const { app } = context;
  const { name: device, purpose, template } = input;
  await app.store.transaction(async (queries) => {
    const holder = await startServiceWork({ ...context, queries }, service, machineReinstall, input);
    await lockForWorkflow(queries, { device, holder, purpose }, app.clock.now());
    await machineChange(queries, service.id, sealed);
    await emitForService({ ...context, queries }, service, 'device.reload.started', { system: template });
  });
}

/** Requests a rollback to the old system; returns once that is certain to happen. */
export async function cancelReinstall(context: Context, service: Service): Promise<void> {
  const { app, queries } = context;
  const id = await workflowRunning(queries, service.id, machineReinstall.name);
  const isCancelled = id !== undefined && (await app.store.transaction((inside) => cancelWorkflow(app, inside, id)));
  if (!isCancelled) throw conflict('No reload is in progress.');
}

function findTemplate(templates: readonly Template[], kind: MachineKind, value: string): Template | AccountTemplate {
  const template = templates.find((row) => row.value === value);
  if (template !== undefined) return template;
  const values = templates.map((row) => row.value).join(', ');
  const message =
    values === '' ? `No templates are available for ${kind} machines.` : `Unknown template. Available: ${values}.`;
  throw new ApiError('not_in_catalogue', { message });
}

/** The new system temporarily needs disk space next to the old one. Leftovers of an earlier reinstall are removed first. */
async function checkHypervisor(
  { app }: Context,
  { node, vmid, disk_gb, untidy }: PlacedMachine,
  template: Template,
): Promise<void> {
  const timeout = commandTimeout();
  await app.hypervisors.use(node, async (hypervisor) => {
    const problems = await platformProblems(hypervisor, template, machineName(vmid), timeout);
    if (problems.length > 0)
      throw new ApiError('capability_missing', {
        message: 'This machine cannot be reinstalled with this system. Nothing was changed.',
        internal: problems.join(' '),
      });
    const { diskGb } = await hypervisor.freeCapacity(timeout);
    if (diskGb + (untidy === 1 ? disk_gb : 0) < disk_gb)
      throw new ApiError('nothing_free', {
        message: 'The hypervisor has no disk space for a new system. Nothing was changed.',
      });
  });
}
