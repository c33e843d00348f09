// Row types of the tables for workflows, reconcilers, jobs, events and webhooks.
import type { Generated, GeneratedAlways } from 'kysely';
import type { WebhookStatus, DeliveryStatus } from '#contract/shapes/event.ts';
import type { AccountId } from '../account-id.ts';

export type WorkflowStatus = 'Queued' | 'Running' | 'Completed' | 'Failed' | 'Cancelled' | 'Stuck';

export interface WorkflowTable {
  id: string;
  account_id: AccountId;
  service_id: number | null;
  name: string;
  version: number;
  operation: string;
  status: WorkflowStatus;
  direction: 'forward' | 'back';
  /** The next or current step. */
  position: number;
  step: string;
  step_since: number;
  /** Attempts of this step that ended in neither done, wait nor failed; `notStarted` before the first. */
  tries: number;
  progress: number;
  input: string;
  outputs: string;
  error_code: string | null;
  error_reason: string | null;
  /** The equipment’s last message, for operators; empty if the current step has had none. */
  detail: Generated<string>;
  cancel_requested: number;
  created_at: number;
  ended_at: number | null;
  /** Incremented by every change that the account can see, so that a caller can wait for the next. */
  revision: number;
}

export interface ReconcilerTable {
  name: string;
  /** When it is due. */
  run_at: number;
  /** Counts signals, so that one that arrives during a run is not lost. */
  signals: number;
  holder: string | null;
  lease_until: number;
  last_success_at: number | null;
  last_duration_ms: number | null;
  last_error: string | null;
  backlog: number;
}

/** On PostgreSQL only. */
export interface PollerTable {
  instance: string;
  live_until: number;
}

/** On SQLite only. */
export interface JobTable {
  id: GeneratedAlways<number>;
  kind: string;
  key: string | null;
  payload: string;
  state: 'queued' | 'running' | 'failed';
  run_at: number;
  /** Counts every claim; the fencing token. */
  attempt: number;
  /** Counts failed attempts, up to the retries that its kind allows. */
  failures: number;
  claimed_by: string | null;
  heartbeat_at: number | null;
  error: string | null;
  failed_at: number | null;
}

export interface EventTable {
  account_id: AccountId;
  /** Per account, without gaps, in commit order. */
  sequence: number;
  type: string;
  version: number;
  service_id: number | null;
  data: string;
  at: number;
}

export interface WebhookTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  url: string;
  description: string;
  /** Event types to send as a JSON list; an empty list sends all. */
  events: string;
  status: WebhookStatus;
  reason: string;
  /** Both secrets are sealed. */
  secret: string;
  previous_secret: string | null;
  previous_until: number | null;
  created_at: number;
  /** The person who created it, or enabled it last; null for the account and its keys. */
  contact_id: number | null;
}

export interface DeliveryTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  webhook_id: number;
  /** The service, or 0: deliveries of one lane arrive in order. */
  lane: number;
  sequence: number;
  status: DeliveryStatus;
  attempts: number;
  next_at: number;
  last_at: number | null;
  /** HTTP status of the last response. */
  answer: number | null;
  error: string;
  replay_of: number | null;
  created_at: number;
}
