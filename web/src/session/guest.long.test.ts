/** The same with more rounds of adopting that is killed. */
import './guest.test.ts'
