import { onEngineGone } from "./engine-gone.mjs";
import { requireHere, resolveFor } from "./resolve.mjs";

// Loaded into this process, not started as another one: the engine ends a provider by its process id.
const provider = resolveFor(process.cwd(), "@pulumi/pulumi/cmd/dynamic-provider");
process.argv[1] = provider;
requireHere(provider);

// An operation under way may still end well, though nobody is left to hear of it.
onEngineGone(() => setTimeout(() => process.exit(), 5000));
