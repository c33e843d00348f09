// What can be wrong with a lab node, on demand. An empty object is a healthy one.

/** A call that changes something, as the node counts them. */
export type LabNodeStep =
  | 'create'
  | 'remove'
  | 'power'
  | 'shutdown'
  | 'reset'
  | 'build'
  | 'use'
  | 'tidy'
  | 'image'
  | 'boot'
  | 'hostname'
  | 'password'
  | 'tun';

export interface LabNodeFaults {
  /** Takes connections and says nothing. */
  isSilent?: boolean;
  /** Cuts every connection. */
  isDown?: boolean;
  /** Answers after this long. */
  answersAfterMs?: number;
  isDiskFull?: boolean;
  /** Dies in the next such step, and is down from then on: a build is left half, anything else is done and not answered. */
  diesAt?: LabNodeStep;
  /** The operating systems of its machines do not heed a request to shut down. */
  ignoresShutdown?: boolean;
  /** Answers with something that is not its protocol. */
  talksNonsense?: boolean;
}
