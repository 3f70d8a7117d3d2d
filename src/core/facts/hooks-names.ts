/** The places where a Python test framework lets code decide what a result is, and cheap tests whether a text speaks of them. */

/** Hooks of pytest through which a result, the exit status or the list of tests can be changed. */
export const hookNames: ReadonlySet<string> = new Set([
  "pytest_runtest_makereport",
  "pytest_report_teststatus",
  "pytest_runtest_logreport",
  "pytest_runtest_logfinish",
  "pytest_runtest_logstart",
  "pytest_runtest_protocol",
  "pytest_runtest_call",
  "pytest_runtest_setup",
  "pytest_runtest_teardown",
  "pytest_runtestloop",
  "pytest_pyfunc_call",
  "pytest_exception_interact",
  "pytest_collection_modifyitems",
  "pytest_collection_finish",
  "pytest_collection",
  "pytest_itemcollected",
  "pytest_collectreport",
  "pytest_make_collect_report",
  "pytest_sessionfinish",
  "pytest_sessionstart",
  "pytest_terminal_summary",
  "pytest_unconfigure",
  "pytest_configure",
  "pytest_cmdline_main",
]);

/** Run when tests have run: leaving the process here overrules what they showed. */
export const lateHooks: ReadonlySet<string> = new Set([
  "pytest_sessionfinish",
  "pytest_unconfigure",
  "pytest_terminal_summary",
  "pytest_runtest_logfinish",
  "pytest_runtest_logreport",
  "pytest_runtest_makereport",
  "pytest_runtest_teardown",
  "pytest_exception_interact",
]);

/** Hooks around the body of a test: whoever catches its exception here decides that it passed. */
export const bodyHooks: ReadonlySet<string> = new Set(["pytest_runtest_call", "pytest_pyfunc_call", "pytest_runtest_protocol"]);

/** What decides a result, by class: replaced from outside, failures no longer count. */
export const deciders: Readonly<Record<string, ReadonlySet<string>>> = {
  TestReport: new Set(["outcome", "passed", "failed", "longrepr", "__init__", "from_item_and_call", "__setattr__", "__getattribute__"]),
  BaseReport: new Set(["outcome", "passed", "failed", "longrepr", "__init__", "__setattr__", "__getattribute__"]),
  CallInfo: new Set(["excinfo", "from_call", "__init__"]),
  Session: new Set(["testsfailed", "exitstatus"]),
  Function: new Set(["runtest"]),
  Item: new Set(["runtest"]),
  TestCaseFunction: new Set(["runtest", "addFailure", "addError"]),
  TestResult: new Set(["addFailure", "addError", "addSubTest", "addUnexpectedSuccess", "wasSuccessful"]),
  TextTestResult: new Set(["addFailure", "addError", "addSubTest", "addUnexpectedSuccess", "wasSuccessful"]),
  TestCase: new Set(["run", "__call__", "_callTestMethod"]),
  TestSuite: new Set(["run"]),
  TextTestRunner: new Set(["run"]),
  DiscoverRunner: new Set(["run_tests", "suite_result", "run_suite"]),
  _Outcome: new Set(["testPartExecutor"]),
};

/** Functions of pytest's own modules through which every result goes. */
export const deciderModules: Readonly<Record<string, ReadonlySet<string>>> = {
  "_pytest.runner": new Set([
    "call_and_report",
    "call_runtest_hook",
    "runtestprotocol",
    "pytest_runtest_makereport",
    "pytest_runtest_call",
    "pytest_runtest_protocol",
  ]),
  "_pytest.python": new Set(["pytest_pyfunc_call"]),
  "_pytest.main": new Set(["wrap_session", "_main", "pytest_runtestloop"]),
};

const hookWord =
  /pytest_(?:runtest|runtestloop|report_teststatus|pyfunc_call|exception_interact|collection|collectreport|make_collect|itemcollected|session|terminal_summary|unconfigure|configure|cmdline_main)|hookimpl/;
const resultWord =
  /\b(?:TestReport|BaseReport|CallInfo|TextTestResult|TestResult|TextTestRunner|DiscoverRunner|TestCaseFunction|testPartExecutor|addFailure|addError|addSubTest|wasSuccessful|suite_result|force_result|exitstatus|testsfailed|runtest|_pytest)\b|\bTestCase\b[^:\n]{0,60}(?:=|,)|\.(?:outcome|longrepr|excinfo|wasxfail|__dict__)\b/;

/** Whether a hunk of Python can hold a hook at all. */
export function mentionsHook(text: string): boolean {
  return hookWord.test(text);
}

/** Whether a line speaks of results, wherever it stands. */
export function mentionsResult(text: string): boolean {
  return resultWord.test(text);
}
