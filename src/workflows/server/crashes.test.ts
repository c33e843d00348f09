// Runs the workflows of servers through the harness.
import { runScenarios } from '#test/support/scenarios.ts';

runScenarios('server');
