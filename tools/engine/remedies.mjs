import { cache, goVersion } from "./paths.mjs";

const remedies = [
  [
    /requires go >=|toolchain not available|unknown directive|invalid go version|not in std\b/,
    `install Go ${goVersion} or newer (your system's packages, or https://go.dev/doc/install)`,
  ],
  [
    /no space left on device|disk quota exceeded/,
    `free about 5 GB for Go's module and build caches (\`go env GOMODCACHE GOCACHE\`), the folder for temporary files and ${cache}`,
  ],
  [/permission denied|read-only file system/, `make Go's caches (\`go env GOMODCACHE GOCACHE\`) and ${cache} writable`],
  [
    /checksum mismatch|SECURITY ERROR/,
    "a module differs from tools/go.sum: try `go clean -modcache`, then ask who runs your module proxy",
  ],
  [
    /dial tcp|lookup .*no such host|i\/o timeout|TLS handshake|connection re(fused|set)|40[34] |50\d |410 Gone|module lookup disabled/,
    "the Go module proxy did not answer as needed: check the network and `go env GOPROXY`",
  ],
  [/signal: killed|cannot allocate memory|out of memory/, "memory ran out: close other programs, or set GOFLAGS=-p=1"],
];

export function remedyFor(log) {
  const known = remedies.find(([pattern]) => pattern.test(log));
  return known?.[1] ?? "see the log; or put an official pulumi on the PATH, then run this again";
}
