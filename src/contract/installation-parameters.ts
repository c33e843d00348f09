// Parameters of installations: SSH keys and user data.
import { List, Pattern } from './parameters.ts';

/** A public key in authorized_keys format, without options; no commas, so that several can be sent as text. */
const publicKey = '(?:ssh|ecdsa|sk)-[a-z0-9@.-]+ [A-Za-z0-9+/]+={0,3}(?: [\\x21-\\x2b\\x2d-\\x7e]+)*';
export const PublicKey = Pattern(`^${publicKey}$`, 'must be a public key such as ssh-ed25519 AAAA… name', 4096);
/** For an installation: public keys, or ids of keys that the account keeps. */
export const SshKeys = List(
  Pattern(
    `^(?:[1-9][0-9]{0,15}|${publicKey})$`,
    'must be a public key such as ssh-ed25519 AAAA… name, or the id of a saved one',
    4096,
  ),
  { max: 20 },
);
/** For cloud-init: a script, a cloud-config, or several of them as a MIME message. */
export const UserData = Pattern(
  '^(?:#|Content-Type: multipart/)',
  'must begin with #cloud-config, #! or another format of cloud-init',
  32_768,
);
