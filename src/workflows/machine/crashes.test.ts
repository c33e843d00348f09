// Runs the workflows of machines through the harness.
import { runScenarios } from '#test/support/scenarios.ts';

runScenarios('machine');
