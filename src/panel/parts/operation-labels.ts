// Labels for operations, workflow steps and audit entries, whose stored names are those of the API.
import { stepLabels } from '#contract/workflow-steps.ts';
import type { Action } from '#sdk/v2.ts';

const actions: Readonly<Record<string, string>> = {
  devicePowerSet: 'Power command',
  deviceShutdown: 'Shutdown',
  deviceReloadStart: 'Installation',
  deviceRescueStart: 'Rescue system boot',
  deviceRescueEnd: 'Rescue system exit',
  devicePasswordReset: 'Root password reset',
  softwareOrder: 'Licence order',
  serviceProvision: 'Provisioning',
  serviceSuspend: 'Suspension',
  serviceResume: 'Reactivation',
  serviceTerminate: 'Termination',
  reclaimRetry: 'Erasure of the server',
  reclaimSignOff: 'Erasure of the server',
  'site.apply': 'Provisioning',
};

/** Changes whose name does not read well as words with one of the verbs below. */
const changes: Readonly<Record<string, string>> = {
  acmeCleanup: 'ACME challenge removed',
  acmePresent: 'ACME challenge added',
  billingCancel: 'Invoice cancelled',
  billingCredit: 'Credit granted',
  billingImport: 'Payment imported',
  billingPay: 'Payment recorded',
  billingRefund: 'Refund recorded',
  billingRun: 'Billing run started',
  challengeAnswer: 'Sign-in with a passkey',
  changeSetApply: 'Records of zones changed',
  contactSettings: 'Contact permissions changed',
  deviceBootSet: 'Next boot set',
  deviceConsoleReset: 'Console reset',
  deviceConsoleTicket: 'Console opened',
  deviceConsoleWeb: 'Web console opened',
  deviceDiscover: 'Hardware scanned',
  deviceHostnameSet: 'Hostname changed',
  deviceImageMount: 'ISO image mounted',
  deviceImageUnmount: 'ISO image unmounted',
  deviceImageUpload: 'ISO image uploaded',
  deviceMaintenanceBegin: 'Maintenance started',
  deviceMaintenanceEnd: 'Maintenance ended',
  devicePasswordCollect: 'Root password shown',
  devicePasswordReset: 'Root password reset',
  devicePowerSet: 'Power command sent',
  deviceShutdown: 'Shutdown requested',
  deviceTunSet: 'TUN/TAP enabled or disabled',
  deviceReloadCancel: 'Installation cancelled',
  deviceReloadStart: 'Installation started',
  deviceRescueEnd: 'Rescue system exited',
  deviceRescueStart: 'Rescue system started',
  impersonationEnd: 'Support access ended',
  impersonationStart: 'Support access started',
  ipmiConsoleOpen: 'Console opened',
  ipmiControllerReset: 'IPMI reset',
  ipmiImageSet: 'ISO image selected, mounted or unmounted',
  ipmiInstallSet: 'Installation started or cancelled',
  ipmiPowerSet: 'Power command sent',
  mailResend: 'Message sent again',
  mailSettingsSet: 'Email settings changed',
  invitationAccept: 'Invitation accepted',
  invitationCreate: 'Contact invited',
  invitationDelete: 'Invitation revoked',
  invitationResend: 'Invitation sent again',
  keyCreate: 'API key created',
  keyDelete: 'API key revoked',
  keyRevoke: 'API key revoked',
  keyUpdate: 'API key updated',
  netblockRequest: 'IP addresses requested',
  nullrouteAdd: 'Null route added',
  nullrouteRemove: 'Null route removed',
  nullrouteSet: 'Null route added or removed',
  operatorCreate: 'Staff member invited',
  operatorDelete: 'Staff access removed',
  operatorUpdate: 'Staff member updated',
  passkeyBegin: 'Passkey setup started',
  planCreate: 'Approval requested',
  planDecide: 'Change approved or rejected',
  planRun: 'Approved change executed',
  reclaimRetry: 'Failed erasure step retried',
  reclaimSignOff: 'Failed erasure step signed off',
  recordDeleteMany: 'Records deleted',
  recoveryComplete: 'Password recovered',
  recoveryRequest: 'Password recovery requested',
  reverseDelete: 'Reverse DNS removed',
  reverseSet: 'Reverse DNS changed',
  reverseSetMany: 'Reverse DNS changed',
  sessionCreate: 'Sign-in',
  signOnComplete: 'Sign-in through the identity provider',
  sessionDelete: 'Signed out',
  'site.apply': 'Site file applied',
  softwareCancel: 'Licence cancelled',
  softwareOrder: 'Licence ordered',
  supportAccessEnd: 'Support access ended',
  'dns.update': 'Zone updated by a DNS tool',
  totpConfirm: 'Authenticator app enabled',
  totpEnd: 'Authenticator app disabled',
  totpEnrol: 'Authenticator app setup started',
  deviceLabelSet: 'Labels changed',
  sshKeyCreate: 'SSH key saved',
  sshKeyDelete: 'SSH key deleted',
  sessionRevoke: 'Session ended',
  recoveryCodesCreate: 'Recovery codes created',
  preferencesSet: 'Preferences changed',
  tsigKeyCreate: 'TSIG key created',
  tsigKeyDelete: 'TSIG key deleted',
  vpsHostnameSet: 'Hostname changed',
  vpsImageMount: 'ISO image mounted',
  vpsPasswordReset: 'Root password reset',
  vpsPowerSet: 'Power command sent',
  vpsReinstall: 'Installation started',
  vpsReverseSet: 'Reverse DNS changed',
  vpsTunSet: 'TUN/TAP enabled or disabled',
  workflowUnwind: 'Workflow rolled back',
  zoneClaim: 'Domain claimed',
  zoneClaimVerify: 'Claim of a domain verified',
  zoneRollBack: 'Zone rolled back',
  zonePatch: 'Records changed',
};

const pastTense: Readonly<Record<string, string>> = {
  add: 'added',
  approve: 'approved',
  begin: 'started',
  cancel: 'cancelled',
  close: 'closed',
  create: 'created',
  delete: 'deleted',
  disable: 'disabled',
  discover: 'scanned',
  enable: 'enabled',
  end: 'ended',
  import: 'imported',
  lock: 'locked',
  mount: 'mounted',
  open: 'opened',
  order: 'ordered',
  provision: 'provisioned',
  refuse: 'rejected',
  remove: 'removed',
  replay: 'sent again',
  request: 'requested',
  reset: 'reset',
  resume: 'resumed',
  retry: 'retried',
  revoke: 'revoked',
  run: 'run',
  set: 'changed',
  start: 'started',
  suspend: 'suspended',
  terminate: 'terminated',
  unlock: 'unlocked',
  unmount: 'unmounted',
  update: 'updated',
  upload: 'uploaded',
};

const targets: Readonly<Record<string, string>> = {
  account: 'customer',
  domain: 'zone',
  domain_id: 'zone',
  license: 'licence',
  username: 'user',
  vmid: 'VM',
};

export const isInProgress = ({ status }: Pick<Action, 'status'>): boolean =>
  status === 'Queued' || status === 'Running';

/** Returns a noun for a long-running operation, such as `Power command` for `v2.devicePowerSet`. */
export function actionLabel(operation: string): string {
  const name = withoutApi(operation);
  return actions[operation] ?? actions[name] ?? spellOut(name);
}

/** Returns what an audited operation did, such as `Contact created` for `v2.contactCreate`. */
export function changeLabel(operation: string): string {
  const name = withoutApi(operation);
  const words = spellOut(name).split(' ');
  const verb = pastTense[words.at(-1)!.toLowerCase()];
  const label = changes[operation] ?? changes[name];
  return label ?? (verb === undefined ? words.join(' ') : [...words.slice(0, -1), verb].join(' '));
}

/** Returns the label of a workflow step. */
export function stepLabel(step: string): string {
  return stepLabels[step] ?? spellOut(step);
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
      if (name === 'attempts') return `${value} attempts`;
      return name === undefined ? part : `${targets[name] ?? name} ${value}`;
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
