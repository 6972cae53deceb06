# Everything a person or CI does here. Each target sets up what it needs.
.DEFAULT_GOAL := help
.PHONY: help demo test check process-test browser-test engine-test language-test tools postgresql yaml-host build schema examples sdks plugin clean

export PATH := $(CURDIR)/.tools/bin:$(CURDIR)/node_modules/.bin:$(PATH)

sources := $(shell find provider sdk cli simulator -name '*.ts') schema.json tsconfig.json tsconfig.build.json
jest := jest --json --outputFile=.tools/results

help:
	@echo "make demo    watch the real Pulumi engine create, change, drift-check and remove reseller accounts"
	@echo "make test    everything that is checked: make check, then the tests with a real browser and the real engine"
	@echo "make check   format, lint, types, schema, unit tests; what to run before a commit"
	@echo "make build   compile to lib/          make tools   get the Pulumi engine into .tools/bin"
	@echo "make schema  write schema.json        make sdks    SDKs for Node.js, Python and Go, into sdks/"
	@echo "make examples       its examples, from those in YAML"
	@echo "make language-test  programs on the SDKs, and the examples"
	@echo "make plugin  the native plugin for this machine, into dist/   make clean   remove what was made here"

demo: tools build
	@node tools/demo.mjs

test: check process-test browser-test engine-test language-test
	@node tools/summary.mjs

check: build
	@echo "check: format";       prettier --check --log-level warn .
	@echo "check: lint";         eslint .
	@echo "check: types";        tsc --noEmit -p .
	@echo "check: schema.json";  node tools/schema.mjs --check
	@echo "check: unit tests";   rm -rf .tools/results; mkdir -p .tools/results
	@# Much of their time is waiting for deadlines, so more workers than cores.
	@$(jest)/unit.json --selectProjects=unit --maxWorkers=4

process-test: build
	@node tools/install-keyring.mjs
	@echo "test: many processes, killed ones and a full disk (about two minutes)"; mkdir -p .tools/results
	@$(jest)/processes.json --selectProjects=processes --runInBand

browser-test: build
	@node tools/install-chromium.mjs
	@echo "test: signing in with a real browser"; mkdir -p .tools/results
	@$(jest)/browser.json --selectProjects=browser --runInBand

engine-test: tools postgresql yaml-host build
	@echo "test: with the real Pulumi engine (a few minutes)"; mkdir -p .tools/results
	@$(jest)/engine.json --selectProjects=engine --runInBand

tools: node_modules/.package-lock.json
	@node tools/install-engine.mjs

postgresql: node_modules/.package-lock.json
	@node tools/install-postgresql.mjs

yaml-host: tools
	@node tools/install-yaml-host.mjs

build: lib/.built

schema: build
	@node tools/schema.mjs

examples:
	@echo "examples: converting docs/examples/*/Pulumi.yaml (C# and Java are written by hand)"
	@cd tools && GOWORK=off go run ./sdks -example ../schema.json ../docs/examples/*

plugin: build
	@node tools/plugin.mjs

sdks: build
	@echo "sdks: checking schema.json and generating SDKs from it (a few minutes the first time)"
	@cd tools && GOWORK=off go run ./sdks ../schema.json ../sdks

language-test: yaml-host sdks
	@echo "test: programs and examples in Python, Go, TypeScript and YAML (a few minutes)"; mkdir -p .tools/results
	@$(jest)/languages.json --selectProjects=languages --runInBand --verbose

lib/.built: node_modules/.package-lock.json $(sources)
	@echo "build: compiling to lib/"
	@rm -rf lib && tsc -p tsconfig.build.json && chmod +x lib/cli/main.js && touch $@

node_modules/.package-lock.json: package.json package-lock.json $(wildcard examples/*/package.json)
	@command -v npm >/dev/null || { echo "npm is missing: install Node.js 20 or later, which brings it" >&2; exit 1; }
	@echo "setup: npm dependencies, Node.js 22 among them (about half a minute)"
	@npm ci --no-audit --no-fund --loglevel=error || { echo "npm could not install the dependencies: is its registry reachable?" >&2; exit 1; }
	@touch $@

clean:
	rm -rf lib .tools node_modules coverage sdks dist
