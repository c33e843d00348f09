// Labels for operations, workflow steps and audit entries, whose stored names are those of the API.
import { stepLabels } from '#contract/workflow-steps.ts';
import type { Action } from '#sdk/v2.ts';
import { t, tData } from './text.ts';

const actions: Readonly<Record<string, string>> = {
  devicePowerSet: t('Power command'),
  deviceShutdown: t('Shutdown'),
  deviceReloadStart: t('Installation'),
  machineCreate: t('Creation of the machine'),
  machineBackupOrder: t('Creation of the machine'),
  machineDelete: t('Deletion of the machine'),
  machineRestore: t('Restoration of the machine'),
  'machine.deletion': t('Deletion of the machine'),
  deviceRescueStart: t('Rescue system boot'),
  deviceRescueEnd: t('Rescue system exit'),
  devicePasswordReset: t('Root password reset'),
  softwareOrder: t('Licence order'),
  serviceProvision: t('Provisioning'),
  serviceSuspend: t('Suspension'),
  serviceResume: t('Reactivation'),
  serviceTerminate: t('Termination'),
  reclaimRetry: t('Erasure of the server'),
  reclaimSignOff: t('Erasure of the server'),
  'site.apply': t('Provisioning'),
};

/** Changes whose name does not read well as words with one of the verbs below. */
const changes: Readonly<Record<string, string>> = {
  acmeCleanup: t('ACME challenge removed'),
  acmePresent: t('ACME challenge added'),
  billingCancel: t('Invoice cancelled'),
  billingCredit: t('Credit granted'),
  billingImport: t('Payment imported'),
  billingPay: t('Payment recorded'),
  billingRefund: t('Refund recorded'),
  billingRun: t('Billing run started'),
  challengeAnswer: t('Sign-in with a passkey'),
  changeSetApply: t('Records of zones changed'),
  contactSettings: t('Contact permissions changed'),
  deviceBootSet: t('Next boot set'),
  deviceConsoleReset: t('Console reset'),
  deviceConsoleTicket: t('Console opened'),
  deviceConsoleWeb: t('Web console opened'),
  deviceDiscover: t('Hardware scanned'),
  deviceHostnameSet: t('Hostname changed'),
  deviceImageMount: t('ISO image mounted'),
  deviceImageUnmount: t('ISO image unmounted'),
  deviceImageUpload: t('ISO image uploaded'),
  deviceMaintenanceBegin: t('Maintenance started'),
  deviceMaintenanceEnd: t('Maintenance ended'),
  devicePasswordCollect: t('Root password shown'),
  devicePasswordReset: t('Root password reset'),
  devicePowerSet: t('Power command sent'),
  deviceShutdown: t('Shutdown requested'),
  deviceTunSet: t('TUN/TAP enabled or disabled'),
  deviceReloadCancel: t('Installation cancelled'),
  deviceReloadStart: t('Installation started'),
  deviceRescueEnd: t('Rescue system exited'),
  deviceRescueStart: t('Rescue system started'),
  impersonationEnd: t('Support access ended'),
  impersonationStart: t('Support access started'),
  ipmiConsoleOpen: t('Console opened'),
  ipmiControllerReset: t('IPMI reset'),
  ipmiImageSet: t('ISO image selected, mounted or unmounted'),
  ipmiInstallSet: t('Installation started or cancelled'),
  ipmiPowerSet: t('Power command sent'),
  machineAdopt: t('Machine adopted'),
  machineMigrate: t('Migration started'),
  machineMigrateCancel: t('Migration cancelled'),
  mailResend: t('Message sent again'),
  mailSettingsSet: t('Email settings changed'),
  invitationAccept: t('Invitation accepted'),
  invitationCreate: t('Contact invited'),
  invitationDelete: t('Invitation revoked'),
  invitationResend: t('Invitation sent again'),
  nodeEvacuate: t('Evacuation started'),
  nodeEvacuationCancel: t('Evacuation cancelled'),
  nodeMaintenance: t('Maintenance of a hypervisor started or ended'),
  keyCreate: t('API key created'),
  keyDelete: t('API key revoked'),
  keyRevoke: t('API key revoked'),
  keyUpdate: t('API key updated'),
  netblockRequest: t('IP addresses requested'),
  nullrouteAdd: t('Null route added'),
  nullrouteRemove: t('Null route removed'),
  nullrouteSet: t('Null route added or removed'),
  operatorCreate: t('Staff member invited'),
  operatorDelete: t('Staff access removed'),
  operatorUpdate: t('Staff member updated'),
  passkeyBegin: t('Passkey setup started'),
  planCreate: t('Approval requested'),
  planDecide: t('Change approved or rejected'),
  planRun: t('Approved change executed'),
  reclaimRetry: t('Failed erasure step retried'),
  reclaimSignOff: t('Failed erasure step signed off'),
  recordDeleteMany: t('Records deleted'),
  recoveryComplete: t('Password recovered'),
  signUpComplete: t('Signed up'),
  signUpApprove: t('Sign-up approved'),
  signUpReject: t('Sign-up rejected'),
  signUpInvitationCreate: t('Invited to sign up'),
  signUpInvitationDelete: t('Invitation to sign up revoked'),
  recoveryRequest: t('Password recovery requested'),
  reverseDelete: t('Reverse DNS removed'),
  reverseSet: t('Reverse DNS changed'),
  reverseSetMany: t('Reverse DNS changed'),
  sessionCreate: t('Sign-in'),
  signOnComplete: t('Sign-in through the identity provider'),
  sessionDelete: t('Signed out'),
  'site.apply': t('Site file applied'),
  softwareCancel: t('Licence cancelled'),
  softwareOrder: t('Licence ordered'),
  supportAccessEnd: t('Support access ended'),
  'dns.update': t('Zone updated by a DNS tool'),
  totpConfirm: t('Authenticator app enabled'),
  totpEnd: t('Authenticator app disabled'),
  totpEnrol: t('Authenticator app setup started'),
  deviceLabelSet: t('Labels changed'),
  deviceCancel: t('Service cancelled'),
  deviceCancelWithdraw: t('Cancellation withdrawn'),
  devicePlanSet: t('Plan changed'),
  couponRedeem: t('Coupon redeemed'),
  machineCreate: t('Machine ordered'),
  machineDelete: t('Machine deleted'),
  machineRestore: t('Machine restored'),
  machineProtectionSet: t('Deletion protection changed'),
  machineBackupCreate: t('Backup started'),
  machineBackupDelete: t('Backup deleted'),
  machineBackupRestore: t('Restore from a backup started'),
  machineBackupOrder: t('Machine ordered from a backup'),
  machineBackupScheduleSet: t('Backup schedule changed'),
  machineBackupVolumeCreate: t('Restore to a volume started'),
  machineSnapshotCreate: t('Snapshot taken'),
  machineSnapshotDelete: t('Snapshot deleted'),
  machineSnapshotRestore: t('Snapshot restored'),
  machineImageCreate: t('Image created'),
  machineImageDelete: t('Image deleted'),
  machineSizeSet: t('Machine resized'),
  machineGroupCreate: t('Group of machines created'),
  machineGroupDelete: t('Group of machines deleted'),
  'machine.deletion': t('Machine removed'),
  volumeCreate: t('Volume created'),
  volumeResize: t('Volume resized'),
  volumeDelete: t('Volume deleted'),
  volumeAttach: t('Volume attached'),
  volumeDetach: t('Volume detached'),
  sshKeyCreate: t('SSH key saved'),
  sshKeyDelete: t('SSH key deleted'),
  sessionRevoke: t('Session ended'),
  recoveryCodesCreate: t('Recovery codes created'),
  preferencesSet: t('Preferences changed'),
  tsigKeyCreate: t('TSIG key created'),
  tsigKeyDelete: t('TSIG key deleted'),
  vpsHostnameSet: t('Hostname changed'),
  vpsImageMount: t('ISO image mounted'),
  vpsPasswordReset: t('Root password reset'),
  vpsPowerSet: t('Power command sent'),
  vpsReinstall: t('Installation started'),
  vpsReverseSet: t('Reverse DNS changed'),
  vpsTunSet: t('TUN/TAP enabled or disabled'),
  workflowUnwind: t('Workflow rolled back'),
  zoneClaim: t('Domain claimed'),
  zoneClaimVerify: t('Claim of a domain verified'),
  zoneRollBack: t('Zone rolled back'),
  zonePatch: t('Records changed'),
};

const pastTense: Readonly<Record<string, string>> = {
  add: 'added',
  approve: 'approved',
  cancel: 'cancelled',
  close: 'closed',
  create: 'created',
  delete: 'deleted',
  disable: 'disabled',
  enable: 'enabled',
  end: 'ended',
  import: 'imported',
  lock: 'locked',
  open: 'opened',
  provision: 'provisioned',
  refuse: 'rejected',
  remove: 'removed',
  replay: 'sent again',
  request: 'requested',
  resume: 'resumed',
  retry: 'retried',
  set: 'changed',
  start: 'started',
  suspend: 'suspended',
  terminate: 'terminated',
  unlock: 'unlocked',
  update: 'updated',
};

const targets: Readonly<Record<string, string>> = {
  account: t('customer'),
  domain: t('zone'),
  domain_id: t('zone'),
  license: t('licence'),
  username: t('user'),
  vmid: t('machine'),
};

export const isInProgress = ({ status }: Pick<Action, 'status'>): boolean =>
  status === 'Queued' || status === 'Running';

/** Returns a noun for a long-running operation, such as `Power command` for `v2.devicePowerSet`. */
export function actionLabel(operation: string): string {
  const name = withoutApi(operation);
  return actions[operation] ?? actions[name] ?? tData(spellOut(name));
}

/** Returns what an audited operation did, such as `Contact created` for `v2.contactCreate`. */
export function changeLabel(operation: string): string {
  const name = withoutApi(operation);
  const words = spellOut(name).split(' ');
  const verb = pastTense[words.at(-1)!.toLowerCase()];
  const label = changes[operation] ?? changes[name];
  return label ?? tData([...words.slice(0, verb === undefined ? words.length : -1), verb ?? ''].join(' ').trim());
}

/** Returns the label of a workflow step. */
export function stepLabel(step: string): string {
  return tData(stepLabels[step] ?? spellOut(step));
}

/** Returns the target of an audit entry for people: `zone 8, record 12` for `domain=8 record=12`. */
export function targetLabel(target: string): string {
  const parts: string[] = [];
  // A value may contain spaces, so a word without a name continues the part before it.
  for (const word of target.split(' '))
    if (parts.length === 0 || /^[a-z_]+=/.test(word)) parts.push(word);
    else parts[parts.length - 1] += ` ${word}`;
  return parts
    .map((part) => {
      const [, name, value] = /^([a-z_]+)=(.*)$/s.exec(part) ?? [];
      if (name === 'attempts') return t('{count} attempts', { count: value! });
      return name === undefined ? part : `${targets[name] ?? tData(name)} ${value}`;
    })
    .join(', ');
}

/** Returns `Power off` for `powerOff`, `power-off` and `power_off`. */
export function spellOut(name: string): string {
  const spaced = name
    .replace(/[._-]/g, ' ')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/\b(?:dnssec|ipmi|vps)\b/g, (acronym) => acronym.toUpperCase())
    .trim();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

function withoutApi(operation: string): string {
  return operation.replace(/^(?:v2|legacy|operator|automation|cli)\./, '');
}
