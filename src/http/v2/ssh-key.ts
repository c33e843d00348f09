// v2: SSH keys of the account.
import type { sshKeyV2 } from '#contract/v2/ssh-key.ts';
import { sshKeyCreate, sshKeyDelete, sshKeyList } from '#app/account/ssh-keys.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const sshKeyHandlers: HandlersOf<typeof sshKeyV2> = {
  sshKeyList: (context) => sshKeyList(context),
  sshKeyCreate,
  sshKeyDelete: respondWith('SSH Key Deleted', (context, { id }) => sshKeyDelete(context, id)),
};
